import { data, href } from 'react-router';
import { readTeachable } from '#app/features/enrolments/choices-for-staff.server.ts';
import {
  type CourseDateForStaff,
  checkNewDays,
  findCourseDate,
  readBusyThen,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { firstFaults } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatTime } from '#app/lib/wall-clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm, SendButton, ToSendButton } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/course-date-move';
import { ChangeFrame, changeButtons } from './change-frame.tsx';
import { takeCourseDateMove } from './course-date-acts.server.ts';
import { timesForm } from './course-date-forms.ts';
import { courseDateLabels } from './course-date-labels.ts';
import { CannotCome, Checks, MailEffects, MoneyEffects, NotifiedLater } from './effect-parts.tsx';
import { Effects } from './effects.tsx';
import { SureBox } from './in-the-way.tsx';
import { loadEffects } from './load-effects.server.ts';
import { DaysFields, InstructorField, OtherTimesFields } from './times-fields.tsx';
import { nothingTried, tryChange } from './try-change.server.ts';

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const academy = context.get(academyContext);
  const { db, clock } = academy;
  const today = academyToday(clock);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, today);
    if (!courseDate) return null;
    const { seen } = await readHistory(db, actor, `course-date:${slug}`);
    const { instructors } = await readTeachable(db, actor);
    const typed = { ...timesOf(courseDate), ...sentIn(url.searchParams) };
    const looks = url.searchParams.has('startDate');
    const parsed = timesForm.safeParse(typed);
    const { reason = null, ...times } = parsed.data ?? {};
    const asked = looks && parsed.success ? { ...parsed.data, ...times } : null;
    const tried = asked
      ? await tryChange(academy, courseDate.id, { change: 'move', actor, times: asked, reason })
      : nothingTried;
    const faults = parsed.success ? tried.errors : firstFaults(parsed.error);
    return {
      courseDate,
      instructors,
      looks,
      ...(await loadEffects(db, actor, courseDate, { change: 'move', today })),
      mails: tried.mails,
      notified: tried.notified,
      fault: tried.fault,
      checks: asked && Object.keys(faults).length === 0 ? await checkNewDays(db, actor, courseDate, asked) : [],
      busy: asked ? await readBusyThen(db, actor, courseDate.id, asked) : [],
      form: { ...blankStaffForm(seen, typed), errors: looks ? faults : {} },
    };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  return found;
}

/** The times of a course date as its form has them. */
function timesOf(courseDate: CourseDateForStaff) {
  const { startDate, endDate, startsAt, endsAt, breakMinutes, delivery, enrolmentEnds, instructorSlug } = courseDate;
  return {
    startDate,
    endDate,
    startTime: startsAt,
    endTime: endsAt,
    breakMinutes: String(breakMinutes),
    delivery,
    venue: courseDate.venue ?? '',
    instructor: instructorSlug,
    enrolmentEnds,
    decidedBy: courseDate.decidedBy ?? '',
    reason: '',
  };
}

const besidesDays = ['startDate', 'endDate', 'reason'];

/** Whether a form has a fault in a field besides days and reason, or changes one: then these are open. */
const changesMore = (courseDate: CourseDateForStaff, { values, errors }: FormState) =>
  Object.entries(timesOf(courseDate)).some(
    ([name, value]) => !besidesDays.includes(name) && (name in errors || (name in values && values[name] !== value)),
  );

/** Of an address only the fields of times. */
function sentIn(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...params].filter(([name]) => name in timesForm.shape));
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const result = await takeCourseDateMove(context.get(academyContext), { form: await readForm(request), slug, actor });
  return answerForm(result, href('/staff/course-dates/:slug', { slug }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Change this course date');

export default function CourseDateMove({ loaderData, actionData }: Route.ComponentProps) {
  const { courseDate, instructors, effects, chooseUntil, isTaught, sums, mails, notified, checks, busy, fault, looks } =
    loaderData;
  const { waiting } = loaderData;
  const told = mails.length + notified.over + notified.offered;
  const form = actionData?.form ?? loaderData.form;
  // What has begun keeps its days, times and place.
  const { hasBegun } = courseDate;
  const { instructor: _, reason: __, ...fixed } = timesOf(courseDate);
  const asks = mails.some(({ kind }) => kind === 'place-course-date-moved');
  return (
    <ChangeFrame
      change="move"
      title={hasBegun ? 'Change the instructor' : 'Change this course date'}
      courseDate={courseDate}
      form={form}
    >
      {fault && <p className="mb-4 font-semibold text-fault">{fault}</p>}
      <ActForm
        act="move"
        id="change-form"
        form={form}
        needs="course-dates:change"
        className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[26rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]"
        // The last sale or cancellation shown: with another one since, nothing is done.
        carries={{ lastMovement: courseDate.lastMovement, ...(hasBegun && fixed) }}
        submit={told === 0 ? changeButtons.move : `${changeButtons.move}, write to ${told}`}
        back={href('/staff/course-dates/:slug', { slug: courseDate.slug })}
        stays={false}
      >
        <div className="grid gap-4">
          {hasBegun ? (
            <InstructorField form={form} instructors={instructors} />
          ) : (
            <AllFields courseDate={courseDate} form={form} instructors={instructors} />
          )}
          <Checks checks={checks} />
          <SureBox form={form} />
          <TextArea
            form={form}
            name="reason"
            label={courseDateLabels.reason}
            hint="Buyers read it in each email. Such as: The room is not available on these days."
          />
          <div className="flex flex-wrap items-center gap-4">
            <SendButton formMethod="get">{looks ? 'Look again' : 'Look at what it does'}</SendButton>
            <ToSendButton formId="change-form" name={changeButtons.move} />
          </div>
        </div>
        <div className="grid min-w-0 gap-7 lg:row-span-2">
          <CannotCome busy={busy} />
          <Effects
            change="move"
            courseDate={courseDate}
            effects={effects}
            chooseUntil={chooseUntil}
            isTaught={isTaught}
            waiting={waiting}
          />
          {asks && <MoneyEffects sums={sums} later="If all choose a refund" />}
          <MailEffects mails={mails} />
          <NotifiedLater {...notified} />
          {looks && told === 0 && <p>With what is entered now, we email nobody.</p>}
        </div>
      </ActForm>
    </ChangeFrame>
  );
}

type AllProps = {
  courseDate: CourseDateForStaff;
  form: FormState;
  instructors: readonly { slug: string; name: string }[];
};

/** Days first, and the rest folded until it changes. */
function AllFields({ courseDate, form, instructors }: AllProps) {
  return (
    <>
      <DaysFields form={form} />
      <details open={changesMore(courseDate, form)} className="group">
        <summary className="cursor-pointer list-none py-1">
          <span className="flex w-fit items-center gap-2 font-semibold text-link">
            Times, instructor, place and deadlines
            <Sign name="down" className="size-4 shrink-0 group-open:rotate-180" />
          </span>
          <span className="block text-sm text-mute">
            {formatTime(courseDate.startsAt)} to {formatTime(courseDate.endsAt)}, {courseDate.instructor},{' '}
            {courseDate.where}.{` Enrolment ends ${formatDay(courseDate.enrolmentEnds)}.`}
            {courseDate.decidedBy && ` Decided by ${formatDay(courseDate.decidedBy)}.`}
          </span>
        </summary>
        <div className="mt-3">
          <OtherTimesFields form={form} instructors={instructors} />
        </div>
      </details>
    </>
  );
}
