import { data, href } from 'react-router';
import { findCourseDate } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readCandidates } from '#app/features/study/certificates/group.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { logContext } from '#app/http/context.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { takeIssuing } from '#app/routes/staff/certificates/issue-form.server.ts';
import { Issuing } from '#app/routes/staff/certificates/issuing.tsx';
import { shownCandidate } from '#app/routes/staff/certificates/shown-candidates.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/certificates';

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'certificates:issue');
  const academy = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(academy.db, actor, slug, academyToday(academy.clock));
    if (!courseDate) return null;
    const people = await readCandidates(academy.db, actor, { courseDateId: courseDate.id }, momentOf(academy));
    return { title: courseDate.title, days: courseDate.days, people: people.map(shownCandidate) };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  return { ...found, slug, form: blankStaffForm(0) };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'certificates:issue');
  const log = context.get(logContext);
  const onFailure = (err: unknown) => log.error({ err }, 'a certificate could not be issued');
  const form = await readForm(request);
  const result = await takeIssuing(context.get(academyContext), { form, actor, onFailure });
  return answerForm(result, href('/staff/course-dates/:slug/certificates', { slug }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Certificates, ${loaderData.title}, ${loaderData.days}` : 'Certificates');

export default function CourseDateCertificates({ loaderData, actionData }: Route.ComponentProps) {
  const { slug, title, days, people } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <DialogHead
        from={{ to: href('/staff/course-dates/:slug', { slug }), text: title }}
        title="Certificates"
        line={`${title}, ${days}`}
      />
      <ErrorSummary form={form} labels={{}} formId={form.values.act === 'work' ? 'work-form' : 'issue-form'} />
      <Issuing people={people} form={form} />
    </>
  );
}
