import { Form, href, Link, useNavigation } from 'react-router';
import { namedAtOnce } from '#app/features/enrolments/enrolling/choice.ts';
import { PayerFields, payerLabels } from '#app/features/enrolments/enrolling/payer-fields.tsx';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Sign } from '#app/ui/sign.tsx';
import type { Route } from './+types/payer';
import { AddressRemark } from './address-remark.tsx';
import { NoDraft } from './no-draft.tsx';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

const box = 'mt-1 size-5 shrink-0 accent-action';
/** The form is `group/step`. */
const unlessSelf = 'group-has-[[name=self]:checked]/step:hidden';
const needsFields = ['needs', 'under18', 'guardianName', 'guardianEmail'];

const of = (count: number, number: number) => (count === 1 ? 'the attendee' : `person ${number}`);

/** The attendees, all fields optional (P28). The first may be the buyer, whose name and address are above. */
function AttendeeFields({ form, count }: { form: FormState; count: number }) {
  const named = Array.from({ length: namedAtOnce(count) }, (_, at) => at + 1);
  const needed = named.some((number) =>
    needsFields.some((field) => form.values[`${field}-${number}`] || form.errors[`${field}-${number}`]),
  );
  return (
    <section aria-labelledby="attendees-title" className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="attendees-title" className="text-xl">
          Who attends
        </h2>
        <p className="text-[0.9375rem] text-mute">
          You can give or change names until the first day. Everyone whose email you give gets a link of their own,
          without prices.
          {named.length < count &&
            ' After you enrol, paste a list of names, or send a link by which colleagues take the seats.'}
        </p>
      </div>
      <label className="flex gap-3">
        <input type="checkbox" name="self" defaultChecked={form.values.self === 'on'} className={box} />
        <b>{count === 1 ? 'I attend myself' : 'I am one of them'}</b>
      </label>
      {named.map((number) => (
        <div key={number} className={`grid gap-x-6 gap-y-4 sm:grid-cols-2 ${number === 1 ? unlessSelf : ''}`}>
          <TextField
            form={form}
            name={`name-${number}`}
            label={`Name of ${of(count, number)}`}
            hint={number === 1 ? 'As it should appear on the certificate.' : undefined}
            autoComplete="off"
          />
          <TextField
            form={form}
            name={`email-${number}`}
            label={`Email of ${of(count, number)}`}
            type="email"
            autoComplete="off"
          />
        </div>
      ))}
      {/* Fields that few need, folded until asked for; open where something was typed. */}
      {named.length > 0 && (
        <details open={needed} className="group">
          <summary className="inline-flex min-h-11 items-center gap-2 font-semibold">
            {count === 1 ? 'Under 18, or something needed to take part' : 'Someone is under 18, or needs something'}
            <Sign name="down" className="size-4.5 shrink-0 group-open:rotate-180" />
          </summary>
          <div className="grid gap-6 pt-1 pb-2">
            {named.map((number) => (
              <Needs key={number} form={form} number={number} count={count} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}

function Needs({ form, number, count }: { form: FormState; number: number; count: number }) {
  return (
    <fieldset className="group/minor min-w-0">
      <legend className={count === 1 ? 'sr-only' : 'mb-2 font-display font-bold'}>
        {count === 1 ? 'The attendee' : `Person ${number}`}
      </legend>
      <div className="grid gap-4">
        <TextField
          form={form}
          name={`needs-${number}`}
          label="What they need to take part"
          hint="Such as step-free access, captions or more time. We use it only for this."
        />
        <div className={number === 1 ? unlessSelf : ''}>
          <label className="flex gap-3">
            <input
              type="checkbox"
              name={`under18-${number}`}
              defaultChecked={form.values[`under18-${number}`] === 'on'}
              className={box}
            />
            <span>Under 18 on the first day</span>
          </label>
          <div className="mt-4 hidden gap-x-6 gap-y-4 group-has-[[name^=under18]:checked]/minor:grid sm:grid-cols-2">
            <TextField
              form={form}
              name={`guardianName-${number}`}
              label="Parent or guardian"
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name={`guardianEmail-${number}`}
              label="Their email"
              type="email"
              autoComplete="off"
            />
          </div>
        </div>
      </div>
    </fieldset>
  );
}

/** The name of each field in the list of faults. */
function attendeeLabels(count: number): Record<string, string> {
  const names = {
    name: 'Name',
    email: 'Email',
    needs: 'Needs',
    guardianName: 'Parent or guardian',
    guardianEmail: 'Email of the parent or guardian',
  };
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => at + 1).flatMap((number) =>
      Object.entries(names).map(([field, label]) => [`${field}-${number}`, `${label} of ${of(count, number)}`]),
    ),
  );
}

export function loader(args: Route.LoaderArgs) {
  return loadStep(args, 'payer', ({ draft, choice }) => ({ values: draft.payer, count: choice?.attendees ?? 1 }));
}

export const action = (args: Route.ActionArgs) => actStep(args, 'payer');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: who pays', 'Who enrols, to whom the tax invoice goes, and who attends.', noPage);

const formId = 'step-form';

export default function PayerStep({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due, count } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const labels = { ...payerLabels, email: 'Your email', ...attendeeLabels(count) };
  return (
    <StepFrame
      summary={summary}
      step="payer"
      title="Who pays"
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
      note="For the last step we email a code to the address you give. You don’t buy anything before that step."
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      <Form
        id={formId}
        method="post"
        action={stepPath(summary.token, 'payer')}
        noValidate
        className="group/step grid gap-5"
      >
        <PayerFields
          form={form}
          addressHint="It appears on the invoice. From AU$1,000 an invoice must say who buys: your name, or the organisation’s, is enough."
        >
          <div>
            <TextField
              form={form}
              name="email"
              label={labels.email}
              hint="For the code, the invoice and the link to your enrolment."
              type="email"
              autoComplete="email"
              required
            />
            <AddressRemark email={form.values.email ?? ''} formId={formId} />
          </div>
        </PayerFields>
        <AttendeeFields form={form} count={count} />
        <p className="text-sm text-mute">
          We use this only to enrol you.{' '}
          <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
            How we treat your data
          </Link>
        </p>
      </Form>
    </StepFrame>
  );
}
