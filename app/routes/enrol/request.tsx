import { Form, Link, useNavigation } from 'react-router';
import type { Choice, ProductToChoose } from '#app/features/enrolments/enrolling/choice.ts';
import { courseLines } from '#app/features/enrolments/enrolling/draft-summary.ts';
import type { Draft } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { type StepName, stepPath, steps } from '#app/features/enrolments/enrolling/steps.ts';
import { FormFoot, PersonFields, personLabels } from '#app/features/inbox/enquiries/form-parts.tsx';
import { redirectToSent, submitEnquiry } from '#app/features/inbox/enquiries/submit.server.ts';
import type { ChoicePrice } from '#app/features/money/pricing.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { giveBack } from '#app/http/take-form.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { SelectField, TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/request';
import { CheckoutColumns } from './checkout-columns.tsx';
import { NoDraft } from './no-draft.tsx';
import { mainButton, PriceBar } from './price-bar.tsx';
import { PriceSummary } from './price-summary.tsx';
import { loadDraft, withoutDraft } from './step-route.server.ts';

export async function loader(args: Route.LoaderArgs) {
  const loaded = await loadDraft(args, 'request');
  if (loaded.state !== 'open') return withoutDraft(loaded.state);
  const { opened, summary } = loaded;
  const { draft, product, choice, request } = opened;
  if (!product || !choice) return withoutDraft('gone');
  const { buyerName = '', email = '', phone = '', organisation = '', payer = '' } = draft.payer;
  const [firstName = '', ...lastNames] = buyerName.trim().split(/\s+/);
  const values = {
    item: product.item,
    attendees: String(choice.attendees),
    firstName,
    lastName: lastNames.join(' '),
    email,
    phone,
    payer: payer === 'organisation' ? 'employer' : 'myself',
    company: organisation,
  };
  return {
    state: 'open' as const,
    summary,
    // A buyer with unpaid seats may ask for more as well (P28).
    reason: request ?? ('large-group' as const),
    form: freshForm(args.context.get(academyContext).forms, values),
  };
}

export async function action(args: Route.ActionArgs) {
  const loaded = await loadDraft(args, 'request');
  if (loaded.state !== 'open') throw withoutDraft(loaded.state);
  const { product, choice, quote, draft } = loaded.opened;
  const enquiries = args.context.get(academyContext);
  const result = await submitEnquiry(enquiries, {
    form: await readForm(args.request),
    kind: 'enrolment',
    address: args.context.get(clientAddressContext),
    isOffered: (item) => item === product?.item,
    // The request keeps the title and price of this moment.
    remarks: () => (product && choice && quote ? requestRemarks({ product, choice, quote }, draft) : {}),
  });
  if (result.ok) throw redirectToSent(enquiries, result.reference);
  return giveBack(result);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Ask for a place', 'We get what you chose as a request, with everything you typed.', noPage);

const labels = {
  ...personLabels,
  payer: 'Who pays',
  company: 'Organisation',
  attendees: 'Number of attendees',
  item: 'Choice',
};
const formId = 'request-form';

const titles = {
  'agreement-first': 'Request the agreement',
  'large-group': 'Ask for your places',
  'no-date': 'The list for the next date',
};
const leads = {
  'agreement-first':
    'A job-guarantee programme begins with an agreement. We answer within one business day. You owe nothing until you have agreed.',
  'large-group':
    'For this many seats we check and answer within one business day. Until then we hold no seats and you owe nothing.',
  'no-date':
    'The list for the next date is free, with no obligation. We offer you a seat when we set a date. You owe nothing.',
};

type Chosen = Pick<Extract<Route.ComponentProps['loaderData'], { state: 'open' }>['summary'], 'title' | 'courses'>;

/** The subject of the request, with its dates: on a phone the summary beside it is folded. */
function ChosenCourses({ title, courses }: Chosen) {
  return (
    <div className="mb-6 rounded-card border border-line bg-card p-5 lg:hidden">
      <b className="block">
        <Unbroken text={title ?? ''} />
      </b>
      {courses.map((course) => (
        <p key={course.title} className="tabular text-[0.9375rem] text-mute">
          {[...(courses.length > 1 ? [course.title] : []), ...course.lines].join(', ')}
        </p>
      ))}
    </div>
  );
}

export default function Request({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, reason } = loaderData;
  const { quote } = summary;
  const form = actionData?.form ?? loaderData.form;
  return (
    <CheckoutColumns
      bar={
        <PriceBar
          quote={quote}
          summary={quote && ((id) => <PriceSummary {...summary} quote={quote} due={null} id={id} />)}
          button={
            <button type="submit" form={formId} disabled={sending} aria-busy={sending} className={mainButton}>
              {sending ? 'Sending' : 'Send my request'}
            </button>
          }
        />
      }
    >
      <h1 className="text-[1.75rem] outline-none lg:text-4xl" tabIndex={-1}>
        {titles[reason]}
      </h1>
      <p className="mt-2 mb-6 max-w-prose text-mute">This is a request, not an enrolment. {leads[reason]}</p>
      <ChosenCourses {...summary} />
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <Form
        id={formId}
        method="post"
        action={stepPath(summary.token, 'request')}
        noValidate
        className="relative grid gap-5"
      >
        <input type="hidden" name="item" value={form.values.item ?? ''} />
        <input type="hidden" name="attendees" value={form.values.attendees ?? ''} />
        <PersonFields form={form} />
        <SelectField form={form} name="payer" label={labels.payer} required>
          <option value="myself">I pay myself</option>
          <option value="employer">An organisation pays</option>
        </SelectField>
        <TextField
          form={form}
          name="company"
          label={labels.company}
          hint="Needed only when an organisation pays: we send it the tax invoice."
          autoComplete="organization"
        />
        <TextArea form={form} name="message" label="Anything we should know" />
        <FormFoot form={form} />
        <p>
          <Link
            to={stepPath(summary.token, 'choice')}
            className="inline-block py-1 font-bold text-link underline underline-offset-4"
          >
            Change the choice
          </Link>
        </p>
      </Form>
    </CheckoutColumns>
  );
}

/** The remarks of a request to staff: how each course is wanted, and the other typed fields. */
function requestRemarks(
  { product, choice, quote }: { product: ProductToChoose; choice: Choice; quote: ChoicePrice },
  draft: Pick<Draft, StepName>,
): Record<string, string | number> {
  const ways = courseLines(product, choice).map(({ title, lines: [first = ''] }) =>
    product.courses.length > 1 ? `${title}: ${first}` : first,
  );
  const typed = steps
    .filter(({ name }) => name !== 'choice' && name !== 'review')
    .flatMap(({ name }) => Object.entries(draft[name]))
    .flatMap(([field, value]) => (value === '' || alreadyThere.includes(field) ? [] : [`${field}: ${value}`]));
  return {
    label: product.title,
    priceCents: Math.round(quote.totalCents / quote.attendees),
    ways: ways.join('\n'),
    ...(typed.length > 0 && { typed: typed.join('\n') }),
  };
}

/** Fields of a draft in the request's own form. */
const alreadyThere = ['buyerName', 'email', 'phone', 'organisation', 'payer', 'self'];
