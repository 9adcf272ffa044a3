import { href } from 'react-router';
import { listOrganisations } from '#app/features/companies/staff-queries.server.ts';
import { readTeachable } from '#app/features/enrolments/choices-for-staff.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-date-new';
import { takeNewCourseDate } from './course-date-acts.server.ts';
import { courseDateLabels } from './course-date-labels.ts';
import { SureBox } from './in-the-way.tsx';
import { NewDateFields, usualDate } from './new-date-fields.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => ({
    ...(await readTeachable(db, actor)),
    organisations: actor.can.has('companies:read') ? await listOrganisations(db, actor) : [],
    history: await readHistory(db, actor, 'course-date:new'),
  }));
  const { history, organisations: known, ...teachable } = found;
  const organisations = known.map(({ id, legal_name }) => [String(id), legal_name] as const);
  const course = url.searchParams.get('course');
  return { ...teachable, organisations, form: blankStaffForm(history.seen, { ...usualDate, course }) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const result = await takeNewCourseDate(context.get(academyContext), { form: await readForm(request), actor });
  const { slug } = result;
  return answerForm(result, slug ? href('/staff/course-dates/:slug', { slug }) : href('/staff/course-dates'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('New course date');

export default function CourseDateNew({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/course-dates')}>Course dates</Back>
      <h1 className="mb-6 text-2xl">New course date</h1>
      <ErrorSummary form={form} labels={courseDateLabels} formId="new-form" />
      <ActForm
        act="new"
        form={form}
        needs="course-dates:change"
        className="grid max-w-3xl gap-4"
        submit="Make the course date"
        look="primary"
        stays={false}
      >
        <NewDateFields
          form={form}
          courses={loaderData.courses}
          instructors={loaderData.instructors}
          joiningDetailsOf={null}
        >
          {loaderData.organisations.length > 0 && (
            <SelectField
              form={form}
              name="organisationId"
              label={courseDateLabels.organisationId}
              hint="Nobody else sees it: it is in no calendar, feed or search, and it stays so. You enrol them by a quote or by hand, and they take and pay for at least the minimum."
            >
              <Options none="Everybody" of={loaderData.organisations} />
            </SelectField>
          )}
        </NewDateFields>
        <SureBox form={form} />
      </ActForm>
    </>
  );
}
