import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { addAttendee, changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import {
  cancelSessionAndAsk,
  confirmSessionAndTell,
  moveSessionAndAsk,
  refundSilent,
} from '#app/features/enrolments/session-changes.server.ts';
import { keepPlace, transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { attendee, makeSession, miscountedSessions, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

type Session = { id: number; capacity: number; minimum: number; state: string; startsOn: Day };
type Move = { day: Day; hours: number; firstDay: Day; state: string };
type Place = {
  id: number;
  session: Session;
  active: boolean;
  chooseBy: Day | null;
  why: string | null;
  moves: Move[];
  freeMoves: number;
  charged: number;
  placedHours: number;
};
type Enrolment = { id: number; email: string; paid: number; refunded: number; places: Place[] };

/** What the commands are held to, written down without them. */
class Model {
  hours = 0;
  sessions: Session[] = [];
  enrolments: Enrolment[] = [];
  price = 0;

  get now(): Moment {
    return momentAt(
      `${addDays('2025-09-08', Math.floor((this.hours + 9) / 24))}T${String((this.hours + 9) % 24).padStart(2, '0')}:00`,
    );
  }
  get places() {
    return this.enrolments.flatMap(({ places }) => places);
  }
  sold(session: Session) {
    return this.places.filter((place) => place.active && place.session === session).length;
  }
  /** P40 in full, for places in sessions. */
  refund(place: Place): number {
    const { hours, now } = this;
    const of = (day: Day, at: number, firstDay: Day, state: string) => {
      const left = daysBetween(day, firstDay);
      if (state === 'cancelled' || state === 'tentative' || left >= 14) return place.charged;
      if (at - place.placedHours < 24 && left > 0) return place.charged;
      return left >= 7 ? Math.ceil(place.charged / 2) : 0;
    };
    if (place.chooseBy) return place.charged;
    const { startsOn, state } = place.session;
    return Math.min(
      of(now.today, hours, startsOn, state),
      ...place.moves.map((move) => of(move.day, move.hours, move.firstDay, move.state)),
    );
  }
  reach(session: Session) {
    if (session.state === 'tentative' && this.sold(session) >= session.minimum) session.state = 'confirmed';
  }
  closed(session: Session): 'session-cancelled' | 'session-closed' | null {
    if (session.state === 'cancelled') return 'session-cancelled';
    return this.now.today > addDays(session.startsOn, -1) ? 'session-closed' : null;
  }
}

const pick = fc.nat({ max: 20 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('place' as const), pick, people: fc.integer({ min: 1, max: 2 }) }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('transfer' as const), pick, to: pick }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('rename' as const, 'add' as const, 'keep' as const), pick }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'part-pay' as const, 'refund' as const), pick }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('cancel-session' as const, 'move-session' as const, 'confirm-session' as const),
        pick,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 23, 24, 120, 336) }),
    },
  ),
  { minLength: 6, maxLength: 16 },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

test('P27, P39, P40: after any sequence of commands seats, places, invoices, notes and money agree with the model', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const model = await start();
      for (const step of sequence) {
        await run(model, step);
        await agree(model);
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);

async function start(): Promise<Model> {
  const { db } = database;
  // What earlier sequences left to choose.
  await refundSilent(db, momentAt('2030-01-01T09:00'));
  const model = new Model();
  const wishes = [
    { capacity: 3, minimum: 1, startsOn: '2025-09-29', decidedBy: null },
    { capacity: 2, minimum: 1, startsOn: '2025-10-20', decidedBy: null },
    { capacity: 4, minimum: 2, startsOn: '2025-11-10', decidedBy: '2025-10-20' },
  ];
  for (const wish of wishes) {
    const { id, courseId } = await makeSession(db, wish);
    const course = await db
      .selectFrom('courses')
      .select('price_cents')
      .where('id', '=', courseId)
      .executeTakeFirstOrThrow();
    model.price = course.price_cents;
    const state = wish.decidedBy ? 'tentative' : 'confirmed';
    model.sessions.push({ id, capacity: wish.capacity, minimum: wish.minimum, state, startsOn: wish.startsOn });
  }
  return model;
}

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const one = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

async function run(model: Model, step: Step): Promise<void> {
  const { now } = model;
  if (step.do === 'wait') {
    model.hours += step.hours;
    const over = ({ chooseBy }: Place) => chooseBy !== null && chooseBy < model.now.today;
    const silent = model.enrolments.filter(({ places }) => places.some(over));
    expect(await refundSilent(database.db, model.now)).toBe(silent.length);
    for (const place of model.places.filter(over)) {
      // Silence about a date that takes place keeps the place, about a cancelled one it is refunded in full.
      if (place.session.state === 'cancelled') Object.assign(place, { active: false, charged: 0 });
      Object.assign(place, { chooseBy: null, why: null });
    }
    return;
  }
  const session = one(model.sessions, step.pick);
  const enrolment = one(model.enrolments, step.pick);
  const place = enrolment && one(enrolment.places, step.pick);
  if (!session) throw new Error('the model has sessions');
  if (step.do === 'place') return placeOne(model, session, step.people);
  if (step.do === 'cancel-session') {
    const result = await transaction((trx) => cancelSessionAndAsk(trx, session.id, theProgram, now));
    const over = addDays(session.startsOn, 4) < now.today;
    expect(result.ok).toBe(session.state !== 'cancelled' && !over);
    if (result.ok) {
      session.state = 'cancelled';
      ask(model, session, 'session-cancelled');
    }
    return;
  }
  if (step.do === 'confirm-session') {
    const result = await transaction((trx) => confirmSessionAndTell(trx, session.id, theProgram, now));
    expect(result.ok).toBe(session.state === 'tentative');
    if (result.ok) session.state = 'confirmed';
    return;
  }
  if (step.do === 'move-session') return moveOne(model, session);
  if (!enrolment || !place) return;
  const enrolmentId = enrolment.id;
  switch (step.do) {
    case 'cancel': {
      const expected = place.active ? model.refund(place) : 0;
      const result = await transaction((trx) =>
        cancelPlaces(
          trx,
          { enrolmentId, placeIds: [place.id], why: 'buyer', shownCents: place.active ? expected : null },
          now,
        ),
      );
      if (!place.active) {
        expect(result).toEqual({ ok: false, reason: 'not-active' });
        return;
      }
      expect(result).toMatchObject({ ok: true, refunds: [{ placeId: place.id, cents: expected }] });
      Object.assign(place, { active: false, charged: place.charged - expected, chooseBy: null, why: null });
      return;
    }
    case 'transfer':
      return transferOne(model, enrolment, place, one(model.sessions, step.to) ?? session);
    case 'keep': {
      expect(await transaction((trx) => keepPlace(trx, { enrolmentId, placeId: place.id }, now))).toBe(
        place.why === 'session-moved',
      );
      if (place.why === 'session-moved') Object.assign(place, { chooseBy: null, why: null });
      return;
    }
    case 'rename': {
      const { places } = await readEnrolment(database.db, enrolmentId);
      const attendeeId = places.find(({ id }) => id === place.id)?.attendee.id ?? 0;
      const name = `Person ${model.hours}`;
      await transaction((trx) =>
        changeAttendee(
          trx,
          // Staff have no limits; those of buyers are tested by themselves.
          { enrolmentId, attendeeId, attendee: attendee({ name, email: 'new@example.com' }), actor: theProgram },
          now,
        ),
      );
      return;
    }
    case 'add': {
      const choice = { courseId: await courseOf(session), way: 'session', sessionId: session.id } as const;
      const addition = {
        enrolmentId,
        choices: [choice],
        attendee: attendee(),
        shownCents: model.price,
        actor: theBuyer,
      };
      const result = await transaction((trx) => addAttendee(trx, addition, now));
      const closed = model.closed(session);
      if (closed) expect(result).toMatchObject({ ok: false, reason: closed });
      else if (model.sold(session) >= session.capacity)
        expect(result).toMatchObject({ reason: 'session-full', left: 0 });
      else if (!result.ok) expect(result).toMatchObject({ reason: 'too-many-unpaid' });
      if (result.ok) {
        enrolment.places.push(...result.placeIds.map((id) => newPlace(model, id, session)));
        model.reach(session);
      }
      return;
    }
    default: {
      const owed = balance(enrolment);
      const cents = step.do === 'part-pay' ? Math.ceil(owed / 3) : owed;
      if (step.do === 'refund') return refundOne(enrolment, -owed);
      if (cents <= 0) return;
      await pay(enrolment, cents);
    }
  }
}

const balance = ({ places, paid, refunded }: Enrolment) =>
  places.reduce((sum, { charged }) => sum + charged, 0) - paid + refunded;

const newPlace = (model: Model, id: number, session: Session): Place => ({
  id,
  session,
  active: true,
  chooseBy: null,
  why: null,
  moves: [],
  freeMoves: 0,
  charged: model.price,
  placedHours: model.hours,
});

async function courseOf({ id }: Session): Promise<number> {
  const row = await database.db
    .selectFrom('training_sessions')
    .select('course_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.course_id;
}

async function placeOne(model: Model, session: Session, people: number): Promise<void> {
  const { db } = database;
  const attendees = Array.from({ length: people }, () => attendee());
  const order = await orderOf(db, [seatIn({ id: session.id, courseId: await courseOf(session) })], { attendees });
  const result = await transaction((trx) => placeEnrolment(trx, order, model.now));
  const closed = model.closed(session);
  const left = session.capacity - model.sold(session);
  if (closed) expect(result).toMatchObject({ ok: false, reason: closed });
  else if (left < people) expect(result).toMatchObject({ ok: false, reason: 'session-full', left });
  else expect(result).toMatchObject({ ok: true });
  if (!result.ok) return;
  const { places } = await readEnrolment(db, result.enrolmentId);
  model.enrolments.push({
    id: result.enrolmentId,
    email: order.buyer.email,
    paid: 0,
    refunded: 0,
    places: places.map(({ id }) => newPlace(model, id, session)),
  });
  model.reach(session);
}

function ask(model: Model, session: Session, why: string): void {
  const { today } = model.now;
  const daysLeft = Math.max(0, Math.min(14, daysBetween(today, session.startsOn) - 1));
  const chooseBy = addDays(today, daysLeft);
  for (const place of model.places)
    if (place.active && place.session === session) Object.assign(place, { chooseBy, why });
}

async function moveOne(model: Model, session: Session): Promise<void> {
  const startDate = addDays(session.startsOn, 7);
  const { instructor_slug, decided_by } = await database.db
    .selectFrom('training_sessions')
    .select(['instructor_slug', 'decided_by'])
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const times = {
    startDate,
    endDate: addDays(startDate, 4),
    startTime: '09:00',
    endTime: '17:00',
    breakMinutes: 60,
    delivery: 'online',
    venue: null,
    instructor: instructor_slug,
    enrolmentEnds: addDays(startDate, -1),
    decidedBy: decided_by,
  } as const;
  const result = await transaction((trx) =>
    moveSessionAndAsk(trx, { sessionId: session.id, times, actor: theProgram }, model.now),
  );
  if (!result.ok) return;
  session.startsOn = startDate;
  ask(model, session, 'session-moved');
}

async function transferOne(model: Model, enrolment: Enrolment, place: Place, to: Session): Promise<void> {
  const { now } = model;
  const transfer = { enrolmentId: enrolment.id, placeId: place.id, toSessionId: to.id, actor: theBuyer } as const;
  const result = await transaction((trx) => transferPlace(trx, transfer, now));
  const refusal = () => {
    if (!place.active) return 'not-active';
    if (to === place.session) return 'same-session';
    const closed = model.closed(to);
    if (closed) return closed;
    if (!place.chooseBy && place.session.startsOn <= now.today) return 'begun';
    if (!place.chooseBy && place.freeMoves > 0) return 'moved-before';
    return model.sold(to) >= to.capacity ? 'session-full' : null;
  };
  const refused = refusal();
  if (refused) expect(result).toMatchObject({ ok: false, reason: refused });
  else expect(result.ok).toBe(true);
  if (!result.ok) return;
  const { session } = place;
  const free = place.chooseBy === null;
  const move = { day: now.today, hours: model.hours, firstDay: session.startsOn, state: session.state };
  enrolment.places.push({
    ...place,
    id: result.placeId,
    session: to,
    chooseBy: null,
    why: null,
    moves: free ? [...place.moves, move] : place.moves,
    freeMoves: place.freeMoves + (free ? 1 : 0),
  });
  // What was charged goes with the new place.
  Object.assign(place, { active: false, charged: 0, chooseBy: null, why: null });
  model.reach(to);
}

async function pay(enrolment: Enrolment, cents: number): Promise<void> {
  await database.db
    .insertInto('payments')
    .values({
      enrolment_id: enrolment.id,
      amount_cents: cents,
      received_on: '2025-09-08',
      method: 'bank',
      source: crypto.randomUUID(),
      recorded_at: new Date(),
    })
    .execute();
  enrolment.paid += cents;
}

async function refundOne(enrolment: Enrolment, cents: number): Promise<void> {
  const payment = await database.db
    .selectFrom('payments')
    .select('id')
    .where('enrolment_id', '=', enrolment.id)
    .executeTakeFirst();
  if (!payment || cents <= 0) return;
  await database.db
    .insertInto('refunds')
    .values({
      payment_id: payment.id,
      enrolment_id: enrolment.id,
      amount_cents: cents,
      state: 'sent',
      reason: 'Cancelled',
      source: crypto.randomUUID(),
      recorded_at: new Date(),
    })
    .execute();
  enrolment.refunded += cents;
}

/** What the database says is what the model says, and its parts agree with each other. */
async function agree(model: Model): Promise<void> {
  const { db } = database;
  const ids = model.sessions.map(({ id }) => id);
  const rows = await db
    .selectFrom('training_sessions')
    .select(['id', 'state', 'starts_on as startsOn'])
    .select(
      sql<number>`(select coalesce(sum(seats), 0)::integer from seat_movements where training_session_id = training_sessions.id)`.as(
        'sold',
      ),
    )
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  expect(rows).toEqual(
    model.sessions.map((session) => {
      const sold = model.sold(session);
      expect(sold).toBeLessThanOrEqual(session.capacity);
      return { id: session.id, state: session.state, startsOn: session.startsOn, sold };
    }),
  );
  expect(await miscountedSessions(db)).toEqual([]);
  // Every place is explained by its movements.
  const wrong = await sql`
    select places.id from places
      left join seat_movements on seat_movements.place_id = places.id
      where places.training_session_id in (${sql.join(ids)})
      group by places.id
      having coalesce(sum(seats), 0) <> (case places.state when 'active' then 1 else 0 end)
        or count(*) filter (where kind = 'sale') <> 1`.execute(db);
  expect(wrong.rows).toEqual([]);
  for (const enrolment of model.enrolments) {
    const { places } = await readEnrolment(db, enrolment.id);
    const stored = places.map(({ id, state, session, chooseBy }) => [id, state === 'active', session?.id, chooseBy]);
    const expected = enrolment.places.map(({ id, active, session, chooseBy }) => [id, active, session.id, chooseBy]);
    expect(new Map(stored.map((place) => [place[0], place]))).toEqual(
      new Map(expected.map((place) => [place[0], place])),
    );
    expect(balanceOf(await accountOf(db, enrolment.id))).toBe(balance(enrolment));
  }
  // Every document sums to the cent, and none is missing.
  const documents = await sql`
    select 'invoice' as kind, number from tax_invoices invoice where (total_cents, gst_cents) is distinct from
      (select row(sum(amount_cents)::integer, sum(gst_cents)::integer) from tax_invoice_lines where tax_invoice_id = invoice.id)
    union all
    select 'note', number from adjustment_notes note where (total_cents, gst_cents) is distinct from
      (select row(sum(amount_cents)::integer, sum(gst_cents)::integer) from adjustment_note_lines where adjustment_note_id = note.id)
    union all
    select 'invoices are missing', max(number) from tax_invoices having count(*) <> max(number)
    union all
    select 'notes are missing', max(number) from adjustment_notes having count(*) <> max(number)`.execute(db);
  expect(documents.rows).toEqual([]);
}
