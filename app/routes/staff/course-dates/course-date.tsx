import { data, href } from 'react-router';
import { readNotes } from '#app/features/people/notes.server.ts';
import { maySeeCourseDate } from '#app/features/people/own-course-dates.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatEnd, formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { CourseDatePill } from '#app/routes/staff/frame/course-date-pill.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { isNoteForm, shownNotes, takeNoteAct } from '#app/routes/staff/note-acts.server.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { WhoElse } from '#app/ui/staff/act-form.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, History, TextLink } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/course-date';
import { takeCourseDateAct } from './course-date-acts.server.ts';
import { PeopleAndAttendance } from './course-date-attendance.tsx';
import { CourseDateActs } from './course-date-buttons.tsx';
import { BelowMinimum, JoiningDetailsForm, Quote, Resize } from './course-date-forms.tsx';
import { courseDateLabels } from './course-date-labels.ts';
import { Holds, Movements } from './course-date-lists.tsx';
import { CourseDateFacts, Messages, WhatIsLeft } from './course-date-parts.tsx';
import { mayDownloadAttendees, readAttendees, readSeats } from './course-date-people.server.ts';
import { owingText, readAttendance, readMessages, readOwed } from './course-date-record.server.ts';
import { todoOf } from './course-date-todo.ts';
import { findCourseDate } from './course-dates.server.ts';

const purposes: Record<string, string> = { enrolment: 'somebody enrolling', offer: 'an offer', quote: 'a quote' };
const kinds: Record<string, string> = { hold: 'Held', release: 'Released', sale: 'Sold', cancellation: 'Given back' };

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:read');
  const { db, clock } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, academyToday(clock));
    if (!courseDate) return null;
    const { holds, movements } = await readSeats(db, actor, courseDate.id);
    const history = await readHistory(db, actor, `course-date:${slug}`);
    const seesPeople =
      actor.can.has('attendees:read') && (await maySeeCourseDate(db, actor, courseDate, 'attendees:read'));
    const attendees = seesPeople ? await readAttendees(db, actor, courseDate.id) : null;
    const places = attendees?.map(({ id }) => id) ?? [];
    return {
      courseDate,
      holds,
      movements,
      history,
      notes: await readNotes(db, { kind: 'course-date', id: courseDate.id }, actor, clock.now()),
      attendees,
      attendance: attendees && (await readAttendance(db, actor, { courseDate, places, now: clock.now() })),
      messages: actor.can.has('mail:read') ? await readMessages(db, actor, courseDate.id) : null,
      owed: actor.can.has('money:read') ? await readOwed(db, actor, courseDate.id) : null,
    };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { courseDate, holds, movements, history, notes, attendees, attendance, messages, owed } = found;
  const mayDownload = attendees !== null && mayDownloadAttendees(actor);
  const mayChange = actor.can.has('course-dates:change');
  const seesEnrolments = actor.can.has('enrolments:read');
  const marks = [...(attendance?.marked.values() ?? [])].flat();
  const firstOf = new Map(attendees?.toReversed().map(({ id, reference }) => [reference, id]));
  const owedText = (reference: string) => {
    const owing = owed?.get(reference);
    return owing ? owingText(owing) : '';
  };
  const joiningDetails = messages?.find(({ kind }) => kind === 'place-joining-details');
  return {
    courseDate,
    mayChange,
    entries: history.entries,
    notes: shownNotes(notes),
    days: attendance?.days ?? [],
    today: attendance?.today ?? '',
    messages,
    told: joiningDetails
      ? `Last email with the ${courseDate.delivery === 'online' ? 'link' : 'room'}: ${joiningDetails.at}, to ${joiningDetails.people === 1 ? '1 person' : `${joiningDetails.people} people`}${joiningDetails.allSent ? '' : `, ${joiningDetails.arrived}`}`
      : null,
    owes: owed !== null,
    mayDownload,
    todo: todoOf({
      courseDate,
      mayChange,
      unnamed: attendees?.filter(({ name }) => !name).length ?? 0,
      unmarked: marks.filter(({ text }) => text === 'open').length,
      owing: owed && [...owed.values()],
    }),
    attendees: attendees?.map((attendee) => ({
      id: attendee.id,
      name: showControlCharacters(attendee.name ?? ''),
      email: showControlCharacters(attendee.email ?? ''),
      buyer: showControlCharacters(
        attendee.organisation ?? (attendee.buyer_name === attendee.name ? 'private' : attendee.buyer_name),
      ),
      reference: seesEnrolments ? attendee.reference : null,
      marks: attendance?.marked.get(attendee.id) ?? [],
      // An enrolment owes once, however many of it attend.
      owed: firstOf.get(attendee.reference) === attendee.id ? owedText(attendee.reference) : '',
      notes: [
        attendee.needs ? `Needs: ${showControlCharacters(attendee.needs)}` : null,
        attendee.under_18 && `Under 18, guardian ${showControlCharacters(attendee.guardian_name ?? '')}`,
        attendee.choose_by && `Chooses until ${formatDay(attendee.choose_by)}`,
        actor.can.has('money:read') && attendee.owes && 'Unpaid',
      ].filter((note) => typeof note === 'string'),
    })),
    holds: holds.map(({ id, seats, purpose, made_at, expires_at, extended, label }) => ({
      id,
      seats,
      what: `For ${purposes[purpose]}${label && seesEnrolments ? `: ${showControlCharacters(label)}` : ''}`,
      when: `since ${formatMoment(made_at)}, ${expires_at ? `until ${formatEnd(expires_at)}` : 'without an end'}${
        extended > 0 ? `, extended ${extended} times` : ''
      }`,
      // An offer is withdrawn with its mail and its place in the list, not by taking its seats.
      releasable: mayChange && purpose !== 'offer',
    })),
    movements: movements.map(({ id, kind, seats, at, reference, purpose, ended, label }) => ({
      id,
      at: formatMoment(at),
      what: kinds[kind] ?? kind,
      seats: Math.abs(seats),
      reference: seesEnrolments ? reference : null,
      why: purpose
        ? `${kind === 'release' && ended ? `${ended}, ` : ''}for ${purposes[purpose]}${label && seesEnrolments ? ` (${showControlCharacters(label)})` : ''}`
        : '',
    })),
    form: blankStaffForm(history.seen),
  };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const result = isNoteForm(form)
    ? await takeNoteAct(academy, {
        form,
        subject: `course-date:${slug}`,
        actor,
        async find(trx) {
          const row = await trx.selectFrom('course_dates').select('id').where('slug', '=', slug).executeTakeFirst();
          return row ? { kind: 'course-date', id: row.id } : null;
        },
      })
    : await takeCourseDateAct(academy, { form, slug, actor });
  return answerForm(result, href('/staff/course-dates/:slug', { slug }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `${loaderData.courseDate.title}, ${loaderData.courseDate.days}` : 'Course date');

export default function CourseDate({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { courseDate, entries, notes, attendees, mayChange, messages, todo } = loaderData;
  const { slug, state, standing } = courseDate;
  const open = state !== 'cancelled';
  return (
    <>
      <Back to={href('/staff/course-dates')}>Course dates</Back>
      <PageHead title={courseDate.title} beside={<CourseDatePill courseDate={courseDate} />}>
        <CourseDateActs courseDate={courseDate} mayChange={mayChange} peopleCount={attendees?.length ?? 0} />
      </PageHead>
      <p className="tabular -mt-2 mb-4 text-lg">
        <Unbroken
          text={`${courseDate.days}, ${courseDate.where}, ${formatTime(courseDate.startsAt)} to ${formatTime(courseDate.endsAt)} ${zoneOfDays(courseDate.zone, [courseDate.startDate, courseDate.endDate])}.`}
        />{' '}
        {attendees && attendees.length > 0 && (
          <TextLink to="#who-attends">{attendees.length === 1 ? '1 person' : `${attendees.length} people`}</TextLink>
        )}
      </p>
      <WhoElse needs="course-dates:change" can="change the days, the place and the seats of this course date" />
      {attendees && attendees.length > 0 && <WhoElse needs="mail:send" can="write to everybody in this course date" />}
      <ErrorSummary form={form} labels={courseDateLabels} formId={`${form.values.act}-form`} />
      <BelowMinimum courseDate={courseDate} form={form} />
      <CourseDateFacts courseDate={courseDate} told={loaderData.told} />
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-8">
          {attendees && (
            <PeopleAndAttendance
              slug={slug}
              enrol={standing === 'open' ? `course:${courseDate.courseSlug}&way=course-date:${courseDate.id}` : null}
              attendees={attendees}
              days={loaderData.days}
              cancelled={!open}
              today={loaderData.today}
              owes={loaderData.owes}
              mayDownload={loaderData.mayDownload}
            />
          )}
          <Holds holds={loaderData.holds} form={form} />
          <History entries={entries} />
          <Movements movements={loaderData.movements} />
        </div>
        <aside aria-label="About this course date" className="grid gap-8">
          <WhatIsLeft todo={todo} />
          <Notes key={notes.length} notes={notes} form={form} />
          {messages && <Messages messages={messages} />}
          {open && mayChange && (
            <div key={loaderData.form.values.seen} className="grid gap-8">
              {standing !== 'done' && <JoiningDetailsForm courseDate={courseDate} form={form} />}
              <Resize courseDate={courseDate} form={form} />
              <p>
                <TextLink to={href('/staff/waiting/:courseDate', { courseDate: slug })}>
                  Who is waiting, and who would get more seats
                </TextLink>
              </p>
              <Quote form={form} />
            </div>
          )}
        </aside>
      </div>
    </>
  );
}
