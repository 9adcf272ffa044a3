import { Form, href } from 'react-router';
import { readTeachable } from '#app/features/enrolments/choices-for-staff.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { SendButton } from '#app/ui/staff/act-form.tsx';
import { DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/copy-term';
import { courseDateLabels } from './course-date-labels.ts';
import { planCopy, shownPlan, takePlan } from './plan-course-dates.server.ts';
import { PlanPreview } from './plan-preview.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const { db, clock } = context.get(academyContext);
  const sent = Object.fromEntries(url.searchParams);
  return unlessDatabaseAway(async () => {
    const { instructors } = await readTeachable(db, actor);
    const read = 'weeks' in sent ? await planCopy(db, actor, sent, academyToday(clock)) : null;
    const form = blankStaffForm(0, { weeks: '26', ...sent });
    return { instructors, ...shownPlan(read, form) };
  });
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  return takePlan(context.get(academyContext), { request, url, actor, planOfPage: planCopy });
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Copy a term');

export default function CopyTerm({ loaderData, actionData }: Route.ComponentProps) {
  const { form, plan, instructors } = loaderData;
  return (
    <>
      <DialogHead
        from={{ to: href('/staff/course-dates'), text: 'Course dates' }}
        title="Copy a term"
        explains="Every course date that starts in the term is planned again, the same weeks later. A copy that meets a public holiday goes a week further. Links to live classes are not copied."
      />
      <ErrorSummary form={actionData?.form ?? form} labels={courseDateLabels} formId="copy-form" />
      <Form method="get" id="copy-form" noValidate className="mb-8 grid max-w-3xl items-end gap-4 sm:grid-cols-4">
        <TextField form={form} name="from" label={courseDateLabels.from} type="date" required />
        <TextField form={form} name="to" label={courseDateLabels.to} type="date" required />
        <TextField form={form} name="weeks" label={courseDateLabels.weeks} inputMode="numeric" required />
        <SendButton look={plan ? 'quiet' : 'primary'}>{plan ? 'Look again' : 'Look at the dates'}</SendButton>
      </Form>
      {plan && (
        <PlanPreview
          plan={plan}
          form={actionData?.form ?? form}
          instructors={instructors}
          none="No course date starts in this term."
        />
      )}
    </>
  );
}
