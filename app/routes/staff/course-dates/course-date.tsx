import { data, href } from 'react-router';
import {
  type CourseDateForStaff,
  findCourseDate,
  mayDownloadAttendees,
  readAttendees,
  readSeats,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import { maySeeCourseDate } from '#app/features/people/queries.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import {
  type Owing,
  owingText,
  readAttendance,
  readMessages,
  readOwed,
} from '#app/features/study/course-date-record.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatEnd, formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { CourseDatePill } from '#app/routes/staff/frame/course-date-pill.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { isNoteForm, shownNotes, takeNoteAct } from '#app/routes/staff/note-acts.server.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm, WhoElse } from '#app/ui/staff/act-form.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, History, Panel, Table, TextLink } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/course-date';
import { takeCourseDateAct } from './course-date-acts.server.ts';
import { PeopleAndAttendance } from './course-date-attendance.tsx';
import { CourseDateActs } from './course-date-buttons.tsx';
import { BelowMinimum, JoiningDetailsForm, Quote, Resize } from './course-date-forms.tsx';
import { courseDateLabels } from './course-date-labels.ts';
import { CourseDateFacts, Messages, WhatIsLeft } from './course-date-parts.tsx';

const purposes = { enrolment: 'somebody enrolling', 'waiting-offer': 'somebody waiting', quote: 'a quote' } as const;
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
      releasable: mayChange && purpose !== 'waiting-offer',
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
              enrol={
                standing === 'open'
                  ? `course:${courseDate.courseSlug}&way=course-date:${courseDate.id}${courseDate.onlyFor ? `&organisation=${courseDate.onlyFor.id}` : ''}`
                  : null
              }
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
              {courseDate.onlyFor === null && (
                <p>
                  <TextLink to={href('/staff/waiting/:courseDate', { courseDate: slug })}>
                    Who is waiting, and who would get more seats
                  </TextLink>
                </p>
              )}
              <Quote form={form} />
            </div>
          )}
        </aside>
      </div>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

/** Seats kept for somebody, with the button that gives them back. */
function Holds({ holds, form }: { holds: Data['holds']; form: FormState }) {
  if (holds.length === 0) return null;
  return (
    <Panel title="Seats that are held">
      <ul>
        {holds.map(({ id, seats, what, when, releasable }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-2">
            <div className="min-w-0 text-sm">
              <p className="break-words font-bold">
                {seats} {seats === 1 ? 'seat' : 'seats'}. {what}
              </p>
              <p className="tabular text-mute">{when}</p>
            </div>
            {releasable && (
              <ActForm
                act="release-hold"
                id={null}
                form={form}
                needs="course-dates:change"
                carries={{ hold: id }}
                className=""
                look="danger"
                submit="Release"
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The history of the seats, folded. */
function Movements({ movements }: { movements: Data['movements'] }) {
  return (
    <Panel title="Seat history">
      {movements.length === 0 ? (
        <p className="text-mute">None yet.</p>
      ) : (
        <details className="group">
          <summary className="flex min-h-8 items-center gap-2 font-semibold text-link">
            The latest {movements.length}, newest first
            <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
          </summary>
          <Table head={['When', 'What', 'Seats', 'Why']} label="Seat history">
            {movements.map(({ id, at, what, seats, reference, why }) => (
              <tr key={id}>
                <td>{at}</td>
                <td>{what}</td>
                <td>{seats}</td>
                <td>
                  {reference && (
                    <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                  )}
                  {why}
                </td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </Panel>
  );
}

/** One thing to do before a course date is over: open ones lead to where it is done. */
type Todo = { text: string; done: boolean; to: string | null };

type Facts = {
  courseDate: CourseDateForStaff;
  /** People without a name yet, and those not marked on days that have come. */
  unnamed: number;
  unmarked: number;
  /** The enrolments that owe something; null for those who may not see money. */
  owing: readonly Owing[] | null;
  mayChange: boolean;
};

/** The tasks of a course date, open ones first. Tasks that the person may not do have no link. */
function todoOf({ courseDate, unnamed, unmarked, owing, mayChange }: Facts): Todo[] {
  const { slug, state, decidedBy, standing, joiningDetailsMissing, sold, lastMovement, belowMinimum, minimum } =
    courseDate;
  const neverBought = sold === 0 && lastMovement === 0;
  if (state === 'cancelled' || (neverBought && !belowMinimum)) return [];
  const change = (name: string) =>
    mayChange ? href('/staff/course-dates/:slug/:change', { slug, change: name }) : null;
  const items: (Todo | false)[] = [
    state === 'tentative' && {
      text:
        standing === 'done'
          ? 'Never confirmed, so nothing is due: confirm it'
          : decidedBy
            ? `Decide by ${formatDay(decidedBy)} whether it runs`
            : 'Decide whether it runs',
      done: false,
      to: change('confirm'),
    },
    belowMinimum && {
      text: `${sold} of at least ${minimum}: run it, move it or cancel it`,
      done: false,
      to: change('cancel'),
    },
    standing !== 'done' && {
      text: joiningDetailsMissing === '' ? 'Room or link is set' : `Set the ${joiningDetailsMissing}`,
      done: joiningDetailsMissing === '',
      to: joiningDetailsMissing === '' || !mayChange ? null : '#way-in-form',
    },
    sold > 0 && {
      text: unnamed === 0 ? `${sold} of ${sold} names known` : `${unnamed} ${unnamed === 1 ? 'name' : 'names'} missing`,
      done: unnamed === 0,
      to: unnamed === 0 ? null : '#who-attends',
    },
    unmarked > 0 && {
      text: `${unmarked} ${unmarked === 1 ? 'mark' : 'marks'} of attendance missing`,
      done: false,
      to: href('/staff/classes/:slug', { slug }),
    },
    owing !== null && sold > 0 && payment(owing),
  ];
  return items.filter((item) => item !== false).toSorted((a, b) => Number(a.done) - Number(b.done));
}

/** Only what is due is a task: nothing is before a date is confirmed (P39). */
function payment(owing: readonly Owing[]): Todo {
  const due = owing.filter(({ dueCents }) => dueCents > 0);
  if (due.length === 0) {
    return { text: owing.length === 0 ? 'Everything is paid' : 'Nothing is due yet', done: true, to: null };
  }
  const cents = due.reduce((sum, { dueCents }) => sum + dueCents, 0);
  const more = due.some(({ elsewhere }) => elsewhere) ? ', also for other courses' : '';
  const who = due.length === 1 ? '1 enrolment owes' : `${due.length} enrolments owe`;
  return { text: `${who} ${formatExact(cents)}${more}`, done: false, to: '#who-attends' };
}
