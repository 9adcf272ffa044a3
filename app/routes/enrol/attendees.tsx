import { Form, useNavigation } from 'react-router';
import { stepPath } from '#app/features/enrolling/steps.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/attendees';
import { AttendeeFields, attendeeLabels } from './attendee-fields.tsx';
import { NoDraft } from './no-draft.tsx';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

export function loader(args: Route.LoaderArgs) {
  return loadStep(args, 'attendees', ({ draft, choice }) => ({
    values: draft.attendees,
    count: choice?.attendees ?? 1,
  }));
}

export const action = (args: Route.ActionArgs) => actStep(args, 'attendees');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: who attends', 'Who attends, and what they need to take part.', noPage);

const formId = 'step-form';

export default function Attendees({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due, count } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <StepFrame
      summary={summary}
      step="attendees"
      title="Who attends"
      lead="You can give names later: leave empty what you do not know yet."
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
    >
      <ErrorSummary form={form} labels={attendeeLabels(count)} formId={formId} />
      <Form
        id={formId}
        method="post"
        action={stepPath(summary.token, 'attendees')}
        noValidate
        className="group/step grid gap-5"
      >
        <AttendeeFields form={form} count={count} />
      </Form>
    </StepFrame>
  );
}
