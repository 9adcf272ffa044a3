import { useRef, useState } from 'react';
import { Form, href, useSubmit } from 'react-router';
import { termsToAccept } from '#app/features/catalogue/site/terms.ts';
import { listOrganisations, organisationAsBuyer } from '#app/features/companies/staff-queries.server.ts';
import { buyerOf, findBuyers } from '#app/features/enrolments/buyer.server.ts';
import {
  findProduct,
  readDueDays,
  readQuotes,
  readSaleable,
  waysOf,
} from '#app/features/enrolments/choices-for-staff.server.ts';
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
import { field } from '#app/ui/field.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/enrol';
import { type EnrolledProduct, EnrolSummary, type Typed, typedIn } from './enrol-summary.tsx';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import { PayerFields } from './payer-fields.tsx';
import { takePlacing } from './place-by-hand.server.ts';
import { WayField, wayFieldOf, wayToRead } from './way-field.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const { now, today } = momentOf(academy);
  const snapshot = context.get(snapshotContext);
  const find = (url.searchParams.get('find') ?? '').slice(0, 100);
  const way = url.searchParams.get('way') ?? '';
  return unlessDatabaseAway(async () => {
    const saleable = await readSaleable(academy.db, actor);
    const item = itemIn(url, saleable);
    const organisation = /^\d{1,15}$/.exec(url.searchParams.get('organisation') ?? '')?.[0];
    const known = organisation
      ? await organisationAsBuyer(academy.db, actor, Number(organisation))
      : await buyerOf(academy.db, actor, url.searchParams.get('buyer') ?? '');
    const looks = known === null && find !== '';
    const buyers = looks ? await findBuyers(academy.db, actor, find) : [];
    const organisations = looks ? (await listOrganisations(academy.db, actor, find)).slice(0, mostOrganisations) : [];
    const shared = {
      find,
      way,
      known: known && showControlCharacters(known.organisation ?? known.buyerName),
      buyers: [
        ...organisations.map(({ id, legal_name, abn }) => ({
          to: `?${new URLSearchParams({ item, way, organisation: String(id) })}`,
          text: showControlCharacters(legal_name),
          beside: `Organisation, ABN ${abn}`,
        })),
        ...buyers.map(({ reference, name, email, organisation: its }) => ({
          to: `?${new URLSearchParams({ item, way, buyer: reference })}`,
          text: showControlCharacters(its ? `${name}, ${its}` : name),
          beside: showControlCharacters(email),
        })),
      ],
    };
    const product = item === '' ? null : await findProduct(academy.db, actor, item, now);
    const { seen } = await readHistory(academy.db, actor, `enrolling:${actor.person.id}`);
    if (!product) return { ...shared, item, saleable, product: null, form: blankStaffForm(seen) };
    const { totalCents, discount, lines } = quoteOfPrices(product.prices, 1);
    const quotes = await readQuotes(
      academy.db,
      actor,
      product.courses.map(({ id }) => id),
    );
    const dueOf = await readDueDays(academy.db, actor, today);
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
        ways: ways.map((way) => wayToRead(way, { priceCents, combo, now, dueOf })),
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

/** How many organisations a search offers. */
const mostOrganisations = 5;

/** What is bought, as `course:` or `combo:` with its slug: by that, or by the title that the field shows. */
function itemIn(url: URL, { courses, combos }: Awaited<ReturnType<typeof readSaleable>>): string {
  const typed = (url.searchParams.get('item') ?? '').trim();
  const titled = [...combos, ...courses].find(({ title }) => title.toLowerCase() === typed.toLowerCase());
  return titled?.item ?? typed;
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const termsId = termsToAccept(context.get(snapshotContext).current());
  // The form's own address names it by its slug.
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
      <div className="mb-6 grid max-w-3xl items-start gap-4 sm:grid-cols-2">
        <Choice {...loaderData} title={product?.title ?? ''} />
        {product && <FindBuyer {...loaderData} />}
      </div>
      {item !== '' && !product && <Words>We do not offer this. Choose something else.</Words>}
      {item === '' && <BeforeChoice />}
      {product && (
        <>
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
          <EnrolForm key={`${item} ${loaderData.known}`} item={item} product={product} form={form} alone={alone} />
        </>
      )}
    </>
  );
}

/** The steps, before anything is chosen. */
const BeforeChoice = () => (
  <section className="max-w-3xl rounded-card border border-line bg-card p-5">
    <h2 className="text-lg">While they are on the phone</h2>
    <ol className="mt-2 grid list-decimal gap-1.5 pl-5">
      <li>Choose the course or combo. You then see its price and dates.</li>
      <li>Find the person or organisation we know, or type their details.</li>
      <li>Say who comes, one person a line. The total and the due day stand beside the form.</li>
      <li>Read out the refund and the terms, then place the enrolment. We email the tax invoice at once.</li>
    </ol>
  </section>
);

type FormProps = { item: string; product: EnrolledProduct; form: FormState; alone: string | null };

function EnrolForm({ item, product, form, alone }: FormProps) {
  const [typed, setTyped] = useState<Typed>(form.values);
  return (
    <ActForm
      act="enrol"
      form={form}
      needs="enrolments:change"
      to={`${href('/staff/enrolments/new')}?${new URLSearchParams({ item })}`}
      className="grid items-start gap-x-12 gap-y-6 xl:grid-cols-[minmax(0,48rem)_minmax(0,24rem)]"
      carries={{
        shown: product.eachCents,
        asTyped: form.values.asTyped ?? '',
        ...(product.quotes.length === 0 && { hold: '' }),
      }}
      stays={false}
      onInput={({ currentTarget }) => setTyped(typedIn(new FormData(currentTarget)))}
    >
      <div className="grid gap-6">
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
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField form={form} name="discountCents" label={labels.discountCents} inputMode="decimal" />
            <TextField form={form} name="discountWhy" label={labels.discountWhy} />
            <p className="max-w-prose text-sm text-mute sm:col-span-2">
              A discount is off the whole invoice, for all of them together. We issue an adjustment note with it. The
              refunds above are of the price before it: tell the caller that they are the same shares of what they then
              pay.
            </p>
          </div>
        </OnlyWith>
        <div className="grid gap-4 sm:grid-cols-2">
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
        </div>
      </div>
      <EnrolSummary product={product} typed={typed} />
    </ActForm>
  );
}

type Data = Route.ComponentProps['loaderData'];

/** A field that completes what is typed to the title of a course or combo; choosing one goes on with it. */
function Choice({ title, find, saleable }: Pick<Data, 'find' | 'saleable'> & { title: string }) {
  const all = [...saleable.combos, ...saleable.courses];
  return (
    <Form action={href('/staff/enrolments/new')} className="flex items-end gap-3">
      {find !== '' && <input type="hidden" name="find" value={find} />}
      <label className="min-w-0 flex-1">
        <span className="mb-1.5 block font-bold">Course or combo</span>
        <input
          key={title}
          name="item"
          list="saleable"
          autoComplete="off"
          defaultValue={title}
          placeholder="Type a part of its title"
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => {
            if (all.some((one) => one.title === currentTarget.value)) currentTarget.form?.requestSubmit();
          }}
          className={field}
        />
      </label>
      <datalist id="saleable">
        {all.map((one) => (
          <option key={one.item} value={one.title} />
        ))}
      </datalist>
      <button type="submit" className={button.quiet}>
        {title === '' ? 'Continue' : 'Change it'}
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
  buyers: readonly { to: string; text: string; beside: string }[];
};

/** Finds a person or organisation who enrolled before or has an account, while it is typed. */
function FindBuyer({ item, way, find, known, buyers }: Props) {
  const submit = useSubmit();
  const waits = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (known) {
    return (
      <p className="self-end pb-1.5">
        Filled in with the details of <b>{known}</b>.{' '}
        <TextLink to={`?${new URLSearchParams({ item, way })}`}>Somebody else</TextLink>
      </p>
    );
  }
  return (
    <div>
      <Form action={href('/staff/enrolments/new')} role="search" className="flex items-end gap-3">
        <input type="hidden" name="item" value={item} />
        <input type="hidden" name="way" value={way} />
        <label className="min-w-0 flex-1">
          <span className="mb-1.5 block font-bold">Person or organisation we know</span>
          <input
            type="search"
            name="find"
            autoComplete="off"
            defaultValue={find}
            placeholder="Name, email, organisation or phone"
            onChange={({ currentTarget: { form } }) => {
              clearTimeout(waits.current);
              waits.current = setTimeout(() => submit(form, { replace: true, preventScrollReset: true }), 200);
            }}
            className={field}
          />
        </label>
        <button type="submit" className={button.quiet}>
          Find
        </button>
      </Form>
      <div role="status" className="mt-1">
        <ul>
          {buyers.map(({ to, text, beside }) => (
            <li key={to} className="border-b border-line py-1.5">
              <TextLink to={to}>{text}</TextLink> <span className="text-mute">{beside}</span>
            </li>
          ))}
          {find !== '' && buyers.length === 0 && (
            <li className="py-1.5 text-mute">Nobody fits. Type the details below.</li>
          )}
        </ul>
      </div>
    </div>
  );
}
