import { data, Form, href, useNavigation } from 'react-router';
import { askForClaimCode, claimSeat, readClaimPage } from '#app/features/companies/claim-seat.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm } from '#app/http/take-form.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { CodeField, type CodeState } from '#app/routes/enrol/code-field.tsx';
import { codeStateOf } from '#app/routes/enrol/code-state.server.ts';
import { mainButton } from '#app/routes/enrol/price-bar.tsx';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { FactList } from '#app/ui/fact-rows.tsx';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/claim';
import { Away } from './frame.tsx';

/** The page of a claim link (P115), which a buyer gives to colleagues. Reading it changes nothing. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  return readOrInstead('away' as const, async () => {
    const claimed = await readClaimPage(context.get(academyContext), params);
    if (!claimed) return data(null, { status: 404 });
    const { title, buyer, when, free, domains } = claimed;
    return { title, buyer, when, free, domains, done: url.searchParams.get('done'), form: blankForm() };
  });
}

type Answer = { form: FormState; code?: CodeState };
const answerWith = (status: number, answer: Answer) => data(answer, { status });

export async function action({ context, request, params }: Route.ActionArgs) {
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const sent = { link: params, form, address: context.get(clientAddressContext) };
  const intent = form?.get('intent');
  if (intent === 'code' || intent === 'again') {
    const asked = await askForClaimCode(academy, sent);
    if (!asked.ok) return answerWith(asked.status, { form: asked.form });
    const { enrolmentId, email } = asked;
    const told = intent === 'code' && asked.asked === 'again' ? null : asked.asked;
    const code = await codeStateOf(context, { of: { enrolmentId }, email, confirmed: false, asked: told });
    return answerWith(200, { form: { ...blankForm(), values: asked.values }, code });
  }
  const claimed = await claimSeat(academy, sent);
  if (claimed.ok) return answerForm(claimed, ({ done }) => `${href('/claim/:reference/:key', params)}?done=${done}`);
  const page = await readClaimPage(academy, params);
  const { email = '' } = claimed.form.values;
  const of = page && { enrolmentId: page.enrolmentId };
  const code = of && (await codeStateOf(context, { of, email, confirmed: false, asked: null }));
  return answerWith(claimed.status, { form: claimed.form, ...(code?.sent && { code }) });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Claim your seat', 'Take one of the seats that your organisation has booked.', noPage);

const formId = 'claim-form';
const labels = { name: 'Your name', email: 'Your email', code: 'Code from your email' };

export default function Claim({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData === 'away') return <Away />;
  if (!loaderData) return <DeadLink />;
  const { title, buyer, when, free, domains, done } = loaderData;
  const answer = actionData && 'form' in actionData ? (actionData as Answer) : null;
  const form = answer?.form ?? loaderData.form;
  const code = answer?.code ?? null;
  const { heading, lead } = words({ done, free, buyer });
  return (
    <>
      <CheckoutHead title={heading} lead={lead} />
      <div className="page pb-14">
        <div className="mt-4 max-w-2xl">
          <FactList rows={[['Course', title] as const, ['When', when.join('\n')] as const]} />
          {done === null && free > 0 && (
            <>
              <div className="mt-6">
                <ErrorSummary form={form} labels={labels} formId={formId} />
              </div>
              <Form id={formId} method="post" noValidate className="grid gap-5">
                <TextField form={form} name="name" label={labels.name} autoComplete="name" required />
                <TextField
                  form={form}
                  name="email"
                  label={labels.email}
                  type="email"
                  autoComplete="email"
                  hint={
                    domains.length > 0
                      ? `With an address at ${domains.join(' or ')} the seat is yours at once. With another one, ${buyer} says yes or no.`
                      : `${buyer} says yes or no.`
                  }
                  required
                />
                {code === null ? (
                  <div className="sm:max-w-xs">
                    <button type="submit" name="intent" value="code" disabled={sending} className={mainButton}>
                      {sending ? 'Sending' : 'Email me a code'}
                    </button>
                  </div>
                ) : (
                  <>
                    <CodeField form={form} code={code} change="To use another address, change it above first." />
                    <div className="sm:max-w-xs">
                      <button type="submit" name="intent" value="claim" disabled={sending} className={mainButton}>
                        {sending ? 'Claiming' : 'Claim the seat'}
                      </button>
                    </div>
                  </>
                )}
              </Form>
            </>
          )}
        </div>
      </div>
    </>
  );
}

type Shown = { done: string | null; free: number; buyer: string };

function words({ done, free, buyer }: Shown): { heading: string; lead: string } {
  if (done === 'taken')
    return { heading: 'The seat is yours', lead: 'We have emailed you the link to your place, with how to join.' };
  if (done === 'asked')
    return {
      heading: 'We asked for you',
      lead: `We emailed ${buyer}. Once they say yes, you get an email with the link to your place.`,
    };
  if (free === 0)
    return { heading: 'Every seat has a name', lead: `Ask ${buyer}, who sent you the link, for one more seat.` };
  return {
    heading: 'Claim your seat',
    lead: `${buyer} has booked this course and has ${free === 1 ? 'one seat' : `${free} seats`} without a name.`,
  };
}
