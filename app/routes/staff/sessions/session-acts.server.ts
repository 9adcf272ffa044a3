import type { Trx } from '#app/db/client.server.ts';
import { cancelSessionAndAsk, confirmSessionAndTell } from '#app/features/enrolments/session-changes.server.ts';
import { setWayInAndTell } from '#app/features/enrolments/way-in-changes.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { endHold, holdSeats, type LockedSession, lockSessions } from '#app/features/seats/commands.server.ts';
import { makeSession, resizeSession } from '#app/features/sessions/commands.server.ts';
import { holdAnyway } from '#app/features/sessions/confirm-session.server.ts';
import { readInTheWayOf, readPublicHolidays } from '#app/features/sessions/plan.server.ts';
import { oddDays } from '#app/features/sessions/series.ts';
import type { FaultyTimes } from '#app/features/sessions/session-times.server.ts';
import type { WayIn } from '#app/features/sessions/way-in.ts';
import { moveSessionForAll } from '#app/features/waiting/move-session.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { type ActDone, type Refused, type StaffFormResult, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { clashRefusal } from './clash-refusal.server.ts';
import { changeForm, faultInWords, moveForm, newSessionForm, sessionForm } from './session-forms.ts';
import { readLastMovement } from './sessions.server.ts';

type Asked = { form: FormData | null; slug: string; actor: StaffActor };
type Done = ActDone | Refused | { ok: false; reason: 'missing' };

const subjectOf = (slug: string) => `training-session:${slug}`;
const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const written: ActDone = { ok: true, did: null };

/** Takes the small forms of a training session's page: its seats, its way in, holds, holding it although few are in it. */
export function takeSessionAct(academy: Academy, { form, slug, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: sessionForm,
    subject: subjectOf(slug),
    actor,
    act(trx, data, moment) {
      return withSession(trx, slug, moment, async (session): Promise<Done> => {
        switch (data.act) {
          case 'resize':
            return resize(trx, session, data.capacity, actor, moment);
          case 'hold-quote':
            return holdForQuote(trx, session, data, moment);
          case 'way-in':
            return giveWayIn(trx, session, data, actor, moment);
          case 'hold-anyway': {
            if (!(await holdAnyway(trx, session, { actor, at: moment.now }))) return refused('It is not confirmed.');
            return { ok: true, did: { action: 'hold-anyway', details: { sold: session.sold } } };
          }
          case 'release-hold': {
            if (!(await endHold(trx, session, data.hold, 'released', moment.now))) {
              return refused('This hold has ended: its time ran out, or someone bought its seats.');
            }
            return { ok: true, did: { action: 'release-hold', details: { hold: data.hold } } };
          }
        }
      });
    },
  });
}

/** Sets the room and the link. A room that is taken then is refused until that is meant, as with a new date (P77). */
async function giveWayIn(
  trx: Trx,
  session: LockedSession,
  { room, street, joiningLink, sure }: WayIn & { sure?: string | undefined },
  actor: StaffActor,
  moment: Moment,
): Promise<Done> {
  const roomOf = trx.selectFrom('training_sessions').select('room').where('id', '=', session.id);
  const before = await roomOf.executeTakeFirstOrThrow();
  const result = await setWayInAndTell(trx, session.id, { wayIn: { room, street, joiningLink }, actor }, moment);
  if (!result.ok) return refused(result.reason === 'unchanged' ? sameWayIn : whyNot[result.reason]);
  const after = await roomOf.executeTakeFirstOrThrow();
  // Whoever gives only the link was asked about the room when it was given.
  const inTheWay = after.room === before.room ? [] : await readInTheWayOf(trx, session.slug);
  const taken = inTheWay.filter(({ clashes }) => clashes.includes('room'));
  const refusal = clashRefusal(
    taken.map((other) => ({ ...other, clashes: ['room'] })),
    sure,
  );
  // The link itself is for those in the class only.
  return refusal ?? { ok: true, did: { action: 'set-way-in' } };
}

async function resize(
  trx: Trx,
  session: LockedSession,
  capacity: number,
  actor: StaffActor,
  moment: Moment,
): Promise<Done> {
  const result = await resizeSession(trx, session, capacity, { ...moment, actor });
  if (result.ok) return written;
  if (result.reason === 'taken') {
    const message = `${result.taken} seats are sold, held or offered, so you cannot have fewer.`;
    return { ok: false, reason: 'refused', errors: { capacity: message } };
  }
  if (result.reason === 'below-minimum') {
    return {
      ok: false,
      reason: 'refused',
      errors: { capacity: `The minimum is ${result.minimum}, so you cannot have fewer.` },
    };
  }
  return refused('The course date is cancelled.');
}

async function holdForQuote(
  trx: Trx,
  session: LockedSession,
  { seats, until, label }: { seats: number; until: string; label: string },
  { now, today }: Moment,
): Promise<Done> {
  if (session.state === 'cancelled') return refused('The course date is cancelled, so you cannot hold its seats.');
  if (until < today || until > session.enrolmentEndsOn) {
    const message = `Choose a day from today to the last day of enrolment, ${session.enrolmentEndsOn}.`;
    return { ok: false, reason: 'refused', errors: { until: message } };
  }
  const expiresAt = instantOf(addDays(until, 1), '00:00', academyZone);
  const held = await holdSeats(trx, { session, seats, purpose: 'quote', at: now, expiresAt });
  if (!held.ok) return { ok: false, reason: 'refused', errors: { seats: `Only ${held.left} are left.` } };
  await trx.updateTable('seat_holds').set({ label }).where('id', '=', held.holdId).execute();
  return { ok: true, did: { action: 'hold-quote', details: { seats, until } } };
}

/** Cancels or confirms a training session, with everything that means for the people in it (P39, P40). */
export function takeSessionChange(
  academy: Academy,
  { form, slug, actor, change }: Asked & { change: 'cancel' | 'confirm' },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: changeForm,
    subject: subjectOf(slug),
    actor,
    act(trx, { lastMovement, reason }, moment) {
      return withSession(trx, slug, moment, async (session) => {
        if (Number(lastMovement) !== (await readLastMovement(trx, session.id))) return peopleChanged(session);
        const result =
          change === 'cancel'
            ? await cancelSessionAndAsk(trx, session, actor, moment, reason)
            : await confirmSessionAndTell(trx, session, actor, moment);
        return result.ok ? written : refused(whyNot[result.reason]);
      });
    },
  });
}

/** Moves a training session, with everything that means for the people in it (P40). */
export function takeSessionMove(academy: Academy, { form, slug, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: moveForm,
    subject: subjectOf(slug),
    actor,
    act(trx, { lastMovement, reason, sure, ...times }, moment) {
      return withSession(trx, slug, moment, async (session) => {
        if (Number(lastMovement) !== (await readLastMovement(trx, session.id))) return peopleChanged(session);
        const move = { sessionId: session, times, actor, reason };
        const result = await moveSessionForAll(trx, move, moment);
        if (!result.ok) return result.reason === 'faults' ? faulty(result) : refused(whyNot[result.reason]);
        const odd = oddDays(times, await readPublicHolidays(trx), moment.today);
        return clashRefusal(await readInTheWayOf(trx, slug), sure, odd) ?? written;
      });
    },
  });
}

/** Makes a training session; its slug is told when it was made. */
export async function takeNewSession(
  academy: Academy,
  { form, actor }: Omit<Asked, 'slug'>,
): Promise<StaffFormResult & { slug?: string }> {
  let slug: string | undefined;
  const result = await takeStaffAct(academy, {
    form,
    schema: newSessionForm,
    subject: 'training-session:new',
    actor,
    async act(trx, { course, room, street, joiningLink, sure, ...data }, moment) {
      const row = await trx.selectFrom('courses').select('id').where('slug', '=', course).executeTakeFirst();
      const wish = { ...data, wayIn: { room, street, joiningLink }, courseId: row?.id ?? 0 };
      const made = await makeSession(trx, wish, { ...moment, actor });
      if (!made.ok) return faulty(made);
      const odd = oddDays(data, await readPublicHolidays(trx), moment.today);
      const clash = clashRefusal(await readInTheWayOf(trx, made.slug), sure, odd);
      if (clash) return clash;
      slug = made.slug;
      return written;
    },
  });
  return slug ? { ...result, slug } : result;
}

export function faulty({ faults }: FaultyTimes): Refused {
  const errors: Record<string, string> = {};
  for (const fault of faults) errors[fault.field] ??= faultInWords(fault);
  return { ok: false, reason: 'refused', errors };
}

export const whyNot = {
  unknown: 'This course date no longer exists.',
  cancelled: 'It is already cancelled.',
  confirmed: 'It is already confirmed.',
  over: 'Its last class is over. Give refunds on the page of each enrolment.',
  certified: 'Somebody in it has a certificate, so it was taught. Give refunds on the page of each enrolment.',
  begun: 'It has begun, so it cannot be moved. Until its last day you can change the instructor.',
  unchanged: 'Nothing was changed: the course date already has these days, times and place.',
};

const sameWayIn = 'Nothing was changed: the course date already has this room and link.';

const peopleChanged = ({ sold }: LockedSession): Refused =>
  refused(
    `Somebody enrolled or left since you opened this page: there are ${sold} people in it now. Look at the list again.`,
  );

/** Locks a training session for an act. */
async function withSession(
  trx: Trx,
  slug: string,
  { now }: Moment,
  act: (session: LockedSession) => Promise<Done>,
): Promise<Done> {
  const row = await trx.selectFrom('training_sessions').select('id').where('slug', '=', slug).executeTakeFirst();
  const session = row && (await lockSessions(trx, [row.id], now)).get(row.id);
  return session ? act(session) : { ok: false, reason: 'missing' };
}
