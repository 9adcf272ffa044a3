import { Form, href } from 'react-router';
import { termsToAccept } from '#app/features/catalogue/site/terms.ts';
import { buyerOf, findBuyers } from '#app/features/enrolments/buyer.server.ts';
import { findProduct, readQuotes, readSaleable, waysOf } from '#app/features/enrolments/choices-for-staff.server.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { comboRule } from '#app/features/money/refund.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/enrol';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import { PayerFields } from './payer-fields.tsx';
import { takePlacing } from './place-by-hand.server.ts';
import { WayField, wayFieldOf, wayToRead } from './way-field.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const { now, today } = momentOf(academy);
  const snapshot = context.get(snapshotContext);
  const item = url.searchParams.get('item') ?? '';
  const find = (url.searchParams.get('find') ?? '').slice(0, 100);
  const way = url.searchParams.get('way') ?? '';
  return unlessDatabaseAway(async () => {
    const known = await buyerOf(academy.db, actor, url.searchParams.get('buyer') ?? '');
    const buyers = known || find === '' ? [] : await findBuyers(academy.db, actor, find);
    const shared = {
      find,
      way,
      known: known && showControlCharacters(known.organisation ?? known.buyerName),
      buyers: buyers.map(({ reference, name, email, organisation }) => ({
        to: `?${new URLSearchParams({ item, way, buyer: reference })}`,
        text: showControlCharacters(organisation ? `${name}, ${organisation}` : name),
        email: showControlCharacters(email),
      })),
    };
    const saleable = await readSaleable(academy.db, actor);
    const product = item === '' ? null : await findProduct(academy.db, actor, item, now);
    const { seen } = await readHistory(academy.db, actor, `enrolling:${actor.person.id}`);
    if (!product) return { ...shared, item, saleable, product: null, form: blankStaffForm(seen) };
    const { totalCents, discount, lines } = quoteOfPrices(product.prices, 1);
    const quotes = await readQuotes(
      academy.db,
      actor,
      product.courses.map(({ id }) => id),
    );
    const courses = [];
    const combo = product.comboId !== null;
    for (const course of product.courses) {
      const priceCents = lines.find(({ courseId }) => courseId === course.id)?.eachCents ?? 0;
      const read = await snapshot.details(course.id);
      const modules = read.ok ? read.details.curriculum.length : 1;
      const ways = await waysOf(academy.db, actor, course, { ...product, modules }, today);
      courses.push({
        courseId: course.id,
        title: course.title,
        priceCents,
        ways: ways.map((way) => wayToRead(way, { priceCents, combo, now })),
      });
    }
    const priced = {
      title: product.title,
      courses,
      rule: combo ? comboRule : null,
      eachCents: totalCents,
      price: `${formatExact(totalCents)} incl. GST for each person${discount ? `, ${discount}` : ''}`,
      quotes: quotes.map(({ id, seats, label, starts_on }) => ({
        id,
        text: showControlCharacters(`${label ?? 'Quote'}: ${seats} seats from ${formatDays(starts_on, starts_on)}`),
      })),
    };
    // A course date that takes no enrolments any more is not offered, and so not chosen.
    const chosen = Object.fromEntries(courses.map(({ courseId }) => [wayFieldOf(courseId), way]));
    const form = blankStaffForm(seen, { ...(known ?? named(find)), ...chosen });
    return { ...shared, item, saleable, product: priced, form };
  });
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const termsId = termsToAccept(context.get(snapshotContext).current());
  const item = url.searchParams.get('item') ?? '';
  const asked = { form: await readForm(request), item, actor, termsId };
  const result = await takePlacing(academy, asked);
  const { reference } = result;
  return answerForm(
    result,
    reference ? href('/staff/enrolments/:reference', { reference }) : href('/staff/enrolments'),
  );
}

export const clientAction = sendStaffForm;

/** The words of the search, as the buyer's name if they can be a name. */
const named = (find: string): Record<string, string> => (/^[^\d@]+$/.test(find) ? { buyerName: find } : {});

export const meta = () => staffMeta('Enrol by hand');

export default function Enrol({ loaderData, actionData }: Route.ComponentProps) {
  const { item, product } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  // The title of a single course stands above its field already.
  const alone = product?.courses.length === 1 ? 'How they take it' : null;
  return (
    <>
      <Back to={href('/staff/enrolments')}>Enrolments</Back>
      <h1 className="mb-6 text-2xl">Enrol by hand</h1>
      <Choice item={item} find={loaderData.find} saleable={loaderData.saleable} />
      {item !== '' && !product && <Words>We do not offer this. Choose something else.</Words>}
      {product && (
        <>
          <FindBuyer {...loaderData} />
          <ErrorSummary
            form={form}
            labels={{
              ...labels,
              ...Object.fromEntries(
                product.courses.map(({ courseId, title }) => [wayFieldOf(courseId), alone ?? title]),
              ),
            }}
            formId="enrol-form"
          />
          <ActForm
            key={`${item} ${loaderData.known}`}
            act="enrol"
            form={form}
            needs="enrolments:change"
            className="grid max-w-3xl gap-6"
            carries={{
              shown: product.eachCents,
              asTyped: form.values.asTyped ?? '',
              ...(product.quotes.length === 0 && { hold: '' }),
            }}
            submit="Place the enrolment"
            look="primary"
            stays={false}
          >
            <p className="text-lg">
              <b>{product.title}</b>, {product.price}
            </p>
            {product.courses.map((course) => (
              <WayField key={course.courseId} form={form} label={alone ?? course.title} {...course} />
            ))}
            {product.rule && <p className="max-w-prose text-sm text-mute">Read to the caller: {product.rule}</p>}
            {product.quotes.length > 0 && (
              <SelectField
                form={form}
                name="hold"
                label={labels.hold}
                hint="This enrolment uses all the seats of the hold."
              >
                <Options none="None" of={product.quotes.map(({ id, text }) => [id, text])} />
              </SelectField>
            )}
            <TextArea
              form={form}
              name="attendees"
              label={labels.attendees}
              hint="One person a line: the name, then a comma and the email address if you have it. Type “?” for someone to be named later."
              required
            />
            <PayerFields form={form} />
            <OnlyWith permission="money:refund">
              <TextField
                form={form}
                name="discountCents"
                label={labels.discountCents}
                hint="Off the whole invoice, for all of them together. We issue an adjustment note with it. The refunds above are of the price before it: tell the caller that they are the same shares of what they then pay."
                inputMode="decimal"
              />
              <TextField form={form} name="discountWhy" label={labels.discountWhy} />
            </OnlyWith>
            <SelectField form={form} name="contact" label={labels.contact} required>
              <option value="">Choose</option>
              <option value="they-contacted-us">They contacted us about this course</option>
              <option value="they-asked-for-a-call">They asked us to call them about this course</option>
              <option value="we-contacted-them">We contacted them without being asked, or about something else</option>
            </SelectField>
            <SelectField form={form} name="accepted" label={labels.accepted} required>
              <option value="">Choose</option>
              <option value="spoken">They said yes on the phone, and I heard it</option>
              <option value="in-writing">They accepted them in writing</option>
            </SelectField>
            <p className="max-w-prose text-sm text-mute">
              Read the date and its refunds to the caller first; they stand below the course. The enrolment is placed at
              once. We email it to the buyer with the tax invoice, and this page shows that you placed it.
            </p>
          </ActForm>
        </>
      )}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Choice({ item, find, saleable }: Pick<Data, 'item' | 'find' | 'saleable'>) {
  return (
    <Form
      action={href('/staff/enrolments/new')}
      className="mb-6 grid max-w-3xl gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
    >
      {find !== '' && <input type="hidden" name="find" value={find} />}
      <label>
        <span className="mb-1.5 block font-bold">Course or combo</span>
        <select name="item" defaultValue={item} className={select}>
          <option value="">Choose a course or combo</option>
          <optgroup label="Combos">
            <Options of={saleable.combos.map((combo) => [combo.item, combo.title])} />
          </optgroup>
          <optgroup label="Courses">
            <Options of={saleable.courses.map((course) => [course.item, course.title])} />
          </optgroup>
        </select>
      </label>
      <button type="submit" className={button.quiet}>
        {item === '' ? 'Continue' : 'Change it'}
      </button>
    </Form>
  );
}

type Props = {
  /** What is bought, and how; both stay in the address. */
  item: string;
  way: string;
  find: string;
  /** Whose details are filled in already. */
  known: string | null;
  buyers: readonly { to: string; text: string; email: string }[];
};

/** Finds somebody who enrolled before, so that their details need not be typed again. */
function FindBuyer({ item, way, find, known, buyers }: Props) {
  return (
    <section aria-label="The buyer" className="mb-6 max-w-3xl">
      {known && (
        <p>
          Filled in with the details of <b>{known}</b>.{' '}
          <TextLink to={`?${new URLSearchParams({ item, way })}`}>Somebody else</TextLink>
        </p>
      )}
      {!known && (
        <Form action={href('/staff/enrolments/new')} role="search" className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="item" value={item} />
          <input type="hidden" name="way" value={way} />
          <label className="grid min-w-64 flex-1 gap-1">
            <span className="font-semibold">Have they enrolled before?</span>
            <input
              type="search"
              name="find"
              defaultValue={find}
              placeholder="Name, email, organisation or phone"
              className={field}
            />
          </label>
          <button type="submit" className={button.quiet}>
            Find
          </button>
        </Form>
      )}
      {find !== '' && !known && (
        <ul className="mt-2">
          {buyers.map(({ to, text, email }) => (
            <li key={to} className="border-b border-line py-1.5">
              <TextLink to={to}>{text}</TextLink> <span className="text-mute">{email}</span>
            </li>
          ))}
          {buyers.length === 0 && <li className="text-mute">Nobody fits. Type the details below.</li>}
        </ul>
      )}
    </section>
  );
}
