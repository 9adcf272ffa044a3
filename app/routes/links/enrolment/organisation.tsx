import { Form, href, Link, useNavigation } from 'react-router';
import { changeBelonging, readBelonging } from '#app/features/companies/belonging.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/organisation';
import { ActPage, Away, Confirm, noFault, textLink } from './frame.tsx';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';
import { meanwhile } from './take-buyer-act.server.ts';

/** Whether an enrolment belongs to its buyer's organisation, and how it gets there (P110). */
export function loader({ context, params: { token } }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, enrolment, { academy: { phone } }) => ({
    standing: await readBelonging(trx, enrolment),
    phone,
  }));
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, async (trx, { enrolmentId, values: { act = '' } }, moment) => {
    const changed = await changeBelonging(trx, { enrolmentId, act }, moment);
    if (changed.ok) return { ok: true, done: act === 'ask' ? 'asked' : 'given' };
    const tooOften = changed.reason === 'too-often';
    return { ok: false, fault: tooOften ? askedOften : meanwhile, tooOften };
  });
}

const askedOften =
  'Its managers were asked about this enrolment twice today, so we sent nothing. Ask again tomorrow, or call us.';

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your organisation', 'Let the managers of your organisation see and change this enrolment too.', noPage);

const formId = 'organisation-form';

export default function Organisation({ loaderData, actionData, params: { token } }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData) return <Away />;
  const { standing, phone } = loaderData;
  const form = actionData?.form ?? noFault;
  const act = (name: string, label: string) => (
    <Form id={formId} method="post">
      <input type="hidden" name="act" value={name} />
      <Confirm label={label} busy={busy} />
    </Form>
  );
  return (
    <ActPage title="Your organisation" lead={leadOf(standing)} token={token}>
      <ErrorSummary form={form} labels={{}} formId={formId} />
      {standing.kind === 'set-up' && act('set-up', `Set up a page for ${standing.name}`)}
      {standing.kind === 'give' && act('give', `Give it to ${standing.name}`)}
      {standing.kind === 'ask' && (
        <>
          <p>
            {standing.domains.length > 0
              ? `They write from ${standing.domains.join(' and ')}. `
              : 'No manager has an address of the organisation’s own. '}
            You do not know them? Call us first: {phone}.
          </p>
          {act('ask', 'Ask its managers')}
        </>
      )}
      {standing.kind === 'asked' && <p>Its managers have an email from us. We email you their answer.</p>}
      {standing.kind === 'no-abn' && (
        <p>
          <Link to={href('/enrolment/:token/details', { token })} className={textLink}>
            Add the ABN
          </Link>
        </p>
      )}
      {standing.kind === 'belongs' && (
        <p>
          <Link to={href('/company')} className={textLink}>
            Its page, for its managers
          </Link>
        </p>
      )}
    </ActPage>
  );
}

type Standing = NonNullable<Route.ComponentProps['loaderData']>['standing'];

function leadOf(standing: Standing): string {
  switch (standing.kind) {
    case 'person':
      return 'This enrolment is paid by a person, so it belongs to no organisation.';
    case 'belongs':
      return `This enrolment belongs to ${standing.name}. Its managers see its people, dates and invoices, and can change them.`;
    case 'give':
      return `You manage ${standing.name}. Give it this enrolment, and its other managers see and change it too.`;
    case 'no-abn':
      return `We cannot tell which organisation ${standing.name} is, because the enrolment has no ABN.`;
    case 'set-up':
      return `See all people, dates and invoices of ${standing.name} in one place. You manage the page and can name colleagues. It begins with this enrolment.`;
    case 'ask':
      return `${standing.name} has managers here. If they take this enrolment, they see its people, dates and invoices, and can change them.`;
    case 'asked':
      return `You asked the managers of ${standing.name} to take this enrolment.`;
  }
}
