import { Form, href } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { agreementOn } from '#app/features/site/agreement.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { findProduct, readQuotes, readSaleable, waysOf } from '#app/routes/staff/choices.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { SelectField, TextArea } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { Back, Words } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/enrol';
import { enrolmentLabels as labels } from './enrolment-labels.ts';
import { PayerFields } from './payer-fields.tsx';
import { takePlacing, wayFieldOf } from './place-by-hand.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const { now, today } = momentOf(academy);
  const item = url.searchParams.get('item') ?? '';
  return orAway(async () => {
    const saleable = await readSaleable(academy.db);
    const product = item === '' ? null : await findProduct(academy.db, item, now);
    const { seen } = await readHistory(academy.db, `enrolling:${actor.person.id}`, actionInWords);
    if (!product) return { item, saleable, product: null, form: blankStaffForm(seen) };
    const { totalCents, discount } = quoteOfPrices(product.prices, 1);
    const quotes = await readQuotes(
      academy.db,
      product.courses.map(({ id }) => id),
    );
    const courses = [];
    for (const course of product.courses) {
      courses.push({
        name: wayFieldOf(course.id),
        title: course.title,
        ways: await waysOf(academy.db, course, product, today),
      });
    }
    const priced = {
      title: product.title,
      courses,
      eachCents: totalCents,
      price: `${formatMoney(totalCents)} incl. GST for each person${discount ? `, ${discount}` : ''}`,
      quotes: quotes.map(({ id, seats, label, starts_on }) => ({
        id,
        text: showControlCharacters(`${label ?? 'Quote'}: ${seats} seats from ${formatDays(starts_on, starts_on)}`),
      })),
    };
    return { item, saleable, product: priced, form: blankStaffForm(seen) };
  });
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const academy = context.get(academyContext);
  const agreement = agreementOn(context.get(snapshotContext).current(), academyToday(academy.clock));
  const item = url.searchParams.get('item') ?? '';
  const asked = { form: await readForm(request), item, actor, agreement };
  const result = await takePlacing(academy, asked);
  const { reference } = result;
  return answerForm(
    result,
    reference ? href('/staff/enrolments/:reference', { reference }) : href('/staff/enrolments'),
  );
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Enrol somebody');

export default function Enrol({ loaderData, actionData }: Route.ComponentProps) {
  const { item, product } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/enrolments')}>Enrolments</Back>
      <h1 className="mb-6 text-2xl">Enrol somebody</h1>
      <Choice item={item} saleable={loaderData.saleable} />
      {item !== '' && !product && <Words>We do not offer this. Choose something else.</Words>}
      {product && (
        <>
          <ErrorSummary
            form={form}
            labels={{ ...labels, ...Object.fromEntries(product.courses.map(({ name, title }) => [name, title])) }}
            formId="enrol-form"
          />
          <ActForm
            act="enrol"
            form={form}
            needs="enrolments:change"
            className="grid max-w-3xl gap-6"
            carries={{ shown: product.eachCents, ...(product.quotes.length === 0 && { hold: '' }) }}
            submit="Place the enrolment"
            look="primary"
            stays={false}
          >
            <p className="text-lg">
              <b>{product.title}</b>, {product.price}
            </p>
            {product.courses.map(({ name, title, ways }) => (
              <SelectField key={name} form={form} name={name} label={title} required>
                <Options none="Choose how they take it" of={ways.map(({ value, text }) => [value, text])} />
              </SelectField>
            ))}
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
            <SelectField form={form} name="contact" label={labels.contact} required>
              <option value="">Choose</option>
              <option value="they-contacted-us">They contacted us about this course</option>
              <option value="they-asked-for-a-call">They asked us to call them about this course</option>
              <option value="we-contacted-them">We contacted them without being asked, or about something else</option>
            </SelectField>
            <p className="max-w-prose text-sm text-mute">
              Read the cancellation terms to the caller first. The enrolment is placed at once. We email it to the buyer
              with the tax invoice, and this page shows that you placed it.
            </p>
          </ActForm>
        </>
      )}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Choice({ item, saleable }: Pick<Data, 'item' | 'saleable'>) {
  return (
    <Form
      action={href('/staff/enrolments/new')}
      className="mb-6 grid max-w-3xl gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <label>
        <span className="sr-only">Course or combo</span>
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
