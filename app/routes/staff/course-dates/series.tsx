import { Form, href } from 'react-router';
import { readTeachable } from '#app/features/enrolments/choices-for-staff.server.ts';
import { findCourseDate } from '#app/features/enrolments/course-dates-for-staff.server.ts';
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
import type { Route } from './+types/series';
import { courseDateLabels } from './course-date-labels.ts';
import { NewDateFields, usualDate } from './new-date-fields.tsx';
import { planSeries, shownPlan, takePlan } from './plan-course-dates.server.ts';
import { PlanPreview } from './plan-preview.tsx';

const repeat = { count: '4', everyWeeks: '2' };

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const sent = Object.fromEntries(url.searchParams);
  return unlessDatabaseAway(async () => {
    const teachable = await readTeachable(db, actor);
    const like = sent.like ? await findCourseDate(db, actor, sent.like, today) : null;
    const read = 'count' in sent ? await planSeries(db, actor, sent, today) : null;
    const form = blankStaffForm(0, { ...usualDate, ...repeat, ...(like && likeThat(like)), ...sent });
    return {
      ...teachable,
      like: like?.title ?? null,
      ...shownPlan(read, form),
    };
  });
}

/** The fields of one course date like another: all but its days. */
function likeThat(courseDate: NonNullable<Awaited<ReturnType<typeof findCourseDate>>>) {
  const { courseSlug, startsAt, endsAt, breakMinutes, delivery, venue, instructorSlug, capacity, minimum } = courseDate;
  return {
    course: courseSlug,
    startTime: startsAt,
    endTime: endsAt,
    breakMinutes: String(breakMinutes),
    delivery,
    venue,
    instructor: instructorSlug,
    capacity: String(capacity),
    minimum: String(minimum),
    room: courseDate.room,
    street: courseDate.street,
    count: '1',
    everyWeeks: '1',
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  return takePlan(context.get(academyContext), { request, url, actor, planOfPage: planSeries });
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('New course dates');

export default function Series({ loaderData, actionData }: Route.ComponentProps) {
  const { form, plan, like, courses, instructors } = loaderData;
  return (
    <>
      <DialogHead
        from={{ to: href('/staff/course-dates'), text: 'Course dates' }}
        title="New course dates"
        explains={
          like
            ? `Like ${like}, on other days. You see all dates and their clashes before anything is made.`
            : 'One date, or a series of dates alike. You see all of them and their clashes before anything is made.'
        }
      />
      <ErrorSummary form={actionData?.form ?? form} labels={courseDateLabels} formId="series-form" />
      <Form method="get" id="series-form" noValidate className="mb-8 grid max-w-3xl gap-4">
        <NewDateFields form={form} courses={courses} instructors={instructors} joiningDetailsOf={'in-person'}>
          <TextField
            form={form}
            name="count"
            label={courseDateLabels.count}
            hint="The days above are those of the first date. Dates on a public holiday of their place are left out."
            inputMode="numeric"
            required
          />
          <TextField
            form={form}
            name="everyWeeks"
            label={courseDateLabels.everyWeeks}
            hint="1 for each week, 2 for every second week."
            inputMode="numeric"
            required
          />
        </NewDateFields>
        <div>
          <SendButton look={plan ? 'quiet' : 'primary'}>{plan ? 'Look again' : 'Look at the dates'}</SendButton>
        </div>
      </Form>
      {plan && (
        <PlanPreview
          plan={plan}
          form={actionData?.form ?? form}
          instructors={instructors}
          none="There is no date without a public holiday. Choose other days."
        />
      )}
    </>
  );
}
