import { href } from 'react-router';
import { readGuidedCourses, readTeachable } from '#app/features/enrolments/choices-for-staff.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { SureBox } from '#app/routes/staff/course-dates/in-the-way.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/live-hour-new';
import { takeNewHour } from './live-hour-acts.server.ts';
import { liveHourLabels, zones } from './live-hour-labels.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => ({
    instructors: (await readTeachable(db, actor)).instructors,
    courses: await readGuidedCourses(db, actor),
  }));
  const usual = {
    minutes: '60',
    startsAt: '18:00',
    zone: academyZone,
    course: url.searchParams.get('course'),
  };
  return { ...found, form: blankStaffForm(0, usual) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const { result, id } = await takeNewHour(context.get(academyContext), { form: await readForm(request), actor });
  return answerForm(result, id === null ? href('/staff/classes') : href('/staff/live-hours/:id', { id: String(id) }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('New live hour');

/** Plans the weekly live hour of a course of guided study (P60). */
export default function LiveHourNew({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/classes')}>Classes</Back>
      <h1 className="mb-2 text-2xl">New live hour</h1>
      <p className="mb-6 max-w-prose">
        It is held every week on the weekday of the first day, but not on public holidays. The course’s page then says
        when it is, and everybody who studies this course in guided study gets an email.
      </p>
      <ErrorSummary form={form} labels={liveHourLabels} formId="new-form" />
      <ActForm
        act="new"
        form={form}
        needs="course-dates:change"
        className="grid max-w-3xl gap-4"
        submit="Set the live hour"
        look="primary"
        stays={false}
      >
        <SelectField form={form} name="course" label={liveHourLabels.course} required>
          <Options none="Choose" of={loaderData.courses.map(({ slug, title }) => [slug, title])} />
        </SelectField>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <SelectField form={form} name="instructor" label={liveHourLabels.instructor} required>
            <Options none="Choose" of={loaderData.instructors.map(({ slug, name }) => [slug, name])} />
          </SelectField>
          <SelectField form={form} name="zone" label={liveHourLabels.zone} required>
            <Options of={zones} />
          </SelectField>
          <TextField form={form} name="firstOn" label={liveHourLabels.firstOn} type="date" required />
          <TextField form={form} name="lastOn" label={liveHourLabels.lastOn} type="date" required />
          <TextField form={form} name="startsAt" label={liveHourLabels.startsAt} type="time" required />
          <TextField form={form} name="minutes" label={liveHourLabels.minutes} inputMode="numeric" required />
        </div>
        <TextField
          form={form}
          name="link"
          label={liveHourLabels.link}
          hint="Starts with https://. Only people whose access runs see it."
          inputMode="url"
          autoComplete="off"
          required
        />
        <SureBox form={form} />
      </ActForm>
    </>
  );
}
