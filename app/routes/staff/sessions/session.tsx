import { data, href } from 'react-router';
import { readNotes } from '#app/features/people/notes.server.ts';
import { maySeeSession } from '#app/features/people/own-sessions.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatEnd, formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { SessionPill } from '#app/routes/staff/frame/session-pill.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { isNoteForm, shownNotes, takeNoteAct } from '#app/routes/staff/note-acts.server.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { WhoElse } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/heads.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { Back, History, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/session';
import { takeSessionAct } from './session-acts.server.ts';
import { PeopleAndAttendance } from './session-attendance.tsx';
import { SessionActs } from './session-buttons.tsx';
import { BelowMinimum, Quote, Resize, WayInForm } from './session-forms.tsx';
import { sessionLabels } from './session-labels.ts';
import { Holds, Movements } from './session-lists.tsx';
import { Messages, SessionFacts, WhatIsLeft } from './session-parts.tsx';
import { mayDownloadAttendees, readAttendees, readSeats } from './session-people.server.ts';
import { owingText, readAttendance, readMessages, readOwed } from './session-record.server.ts';
import { todoOf } from './session-todo.ts';
import { findSession } from './sessions.server.ts';

const purposes: Record<string, string> = { enrolment: 'somebody enrolling', offer: 'an offer', quote: 'a quote' };
const kinds: Record<string, string> = { hold: 'Held', release: 'Released', sale: 'Sold', cancellation: 'Given back' };

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:read');
  const { db, clock } = context.get(academyContext);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, academyToday(clock));
    if (!session) return null;
    const { holds, movements } = await readSeats(db, actor, session.id);
    const history = await readHistory(db, actor, `training-session:${slug}`);
    const seesPeople = actor.can.has('attendees:read') && (await maySeeSession(db, actor, session, 'attendees:read'));
    const attendees = seesPeople ? await readAttendees(db, actor, session.id) : null;
    const places = attendees?.map(({ id }) => id) ?? [];
    return {
      session,
      holds,
      movements,
      history,
      notes: await readNotes(db, { kind: 'session', id: session.id }, actor, clock.now()),
      attendees,
      attendance: attendees && (await readAttendance(db, actor, { session, places, now: clock.now() })),
      messages: actor.can.has('mail:read') ? await readMessages(db, actor, session.id) : null,
      owed: actor.can.has('money:read') ? await readOwed(db, actor, session.id) : null,
    };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { session, holds, movements, history, notes, attendees, attendance, messages, owed } = found;
  const mayDownload = attendees !== null && mayDownloadAttendees(actor);
  const mayChange = actor.can.has('sessions:change');
  const seesEnrolments = actor.can.has('enrolments:read');
  const marks = [...(attendance?.marked.values() ?? [])].flat();
  const firstOf = new Map(attendees?.toReversed().map(({ id, reference }) => [reference, id]));
  const owedText = (reference: string) => {
    const owing = owed?.get(reference);
    return owing ? owingText(owing) : '';
  };
  const wayIn = messages?.find(({ kind }) => kind === 'place-way-in');
  return {
    session,
    mayChange,
    entries: history.entries,
    notes: shownNotes(notes),
    days: attendance?.days ?? [],
    today: attendance?.today ?? '',
    messages,
    told: wayIn
      ? `Last email with the ${session.delivery === 'online' ? 'link' : 'room'}: ${wayIn.at}, to ${wayIn.people === 1 ? '1 person' : `${wayIn.people} people`}${wayIn.allSent ? '' : `, ${wayIn.arrived}`}`
      : null,
    owes: owed !== null,
    mayDownload,
    todo: todoOf({
      session,
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
  const actor = staffFor(context, 'sessions:change');
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const result = isNoteForm(form)
    ? await takeNoteAct(academy, {
        form,
        subject: `training-session:${slug}`,
        actor,
        async find(trx) {
          const row = await trx
            .selectFrom('training_sessions')
            .select('id')
            .where('slug', '=', slug)
            .executeTakeFirst();
          return row ? { kind: 'session', id: row.id } : null;
        },
      })
    : await takeSessionAct(academy, { form, slug, actor });
  return answerForm(result, href('/staff/sessions/:slug', { slug }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `${loaderData.session.title}, ${loaderData.session.days}` : 'Course date');

export default function Session({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { session, entries, notes, attendees, mayChange, messages, todo } = loaderData;
  const { slug, state, standing } = session;
  const open = state !== 'cancelled';
  return (
    <>
      <Back to={href('/staff/sessions')}>Course dates</Back>
      <PageHead title={session.title} beside={<SessionPill session={session} />}>
        <SessionActs session={session} mayChange={mayChange} peopleCount={attendees?.length ?? 0} />
      </PageHead>
      <p className="tabular -mt-2 mb-4 text-lg">
        <Unbroken
          text={`${session.days}, ${session.where}, ${formatTime(session.startsAt)} to ${formatTime(session.endsAt)} ${zoneOfDays(session.zone, [session.startDate, session.endDate])}.`}
        />{' '}
        {attendees && attendees.length > 0 && (
          <TextLink to="#who-attends">{attendees.length === 1 ? '1 person' : `${attendees.length} people`}</TextLink>
        )}
      </p>
      <WhoElse needs="sessions:change" can="change the days, the place and the seats of this course date" />
      {attendees && attendees.length > 0 && <WhoElse needs="mail:send" can="write to everybody in this course date" />}
      <ErrorSummary form={form} labels={sessionLabels} formId={`${form.values.act}-form`} />
      <BelowMinimum session={session} form={form} />
      <SessionFacts session={session} told={loaderData.told} />
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-8">
          {attendees && (
            <PeopleAndAttendance
              slug={slug}
              enrol={standing === 'open' ? `course:${session.courseSlug}&way=session:${session.id}` : null}
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
              {standing !== 'done' && <WayInForm session={session} form={form} />}
              <Resize session={session} form={form} />
              <p>
                <TextLink to={href('/staff/waiting/:session', { session: slug })}>
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
