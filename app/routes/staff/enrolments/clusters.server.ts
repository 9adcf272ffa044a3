import { sql } from 'kysely';
import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { lockEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import { hasBegun } from '#app/features/enrolments/refundable.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';
import { recordFault } from '#app/jobs/each-item.server.ts';
import { lockActs } from '#app/routes/staff/act.server.ts';
import { type Compared, clustersOf, isJump, type UnpaidEnrolment } from './clusters.ts';

/** How many days back unpaid enrolments are looked through, and how many at most. */
export const clusterDays = 7;
const mostEnrolments = 1000;
/** How many of the latest unpaid enrolments are compared. */
const mostLooked = 2000;

/** Enrolments of the last days with seats in training sessions and without a payment; staff did not place them. */
export async function readUnpaid(db: Db, actor: StaffActor, at: Date): Promise<UnpaidEnrolment[]> {
  requirePermission(actor, 'enrolments:read');
  const columns = sql`${compared}, e.reference, e.buyer_name as buyer, e.email, e.title`;
  const { rows } = await sql<UnpaidEnrolment>`select ${columns} from ${unpaid(at)}`.execute(db);
  return rows;
}

/** How many clusters of unpaid seats have jumped: for the list of what waits for staff. */
export async function countJumps(db: Db, actor: StaffActor, at: Date): Promise<number> {
  requirePermission(actor, 'enrolments:read');
  const { rows } = await sql<Compared>`select ${compared} from ${unpaid(at)}`.execute(db);
  return clustersOf(rows).filter(isJump).length;
}

const compared = sql`e.id, e.mail_domain as domain, e.network, e.placed_at as "placedAt", p.seats,
  list.balance_cents as "owedCents"`;

/** The tables and conditions behind FROM. */
const unpaid = (at: Date) => sql`
  (select enrolment_id, enrolled_at, balance_cents, paid_by from enrolment_list
      where balance_cents > 0 and enrolled_at > ${new Date(at.getTime() - clusterDays * 24 * 60 * 60 * 1000)}
      order by enrolled_at desc, enrolment_id desc limit ${mostLooked}) as list
    join enrolments e on e.id = list.enrolment_id
    join lateral (select count(*)::integer as seats from places
      where enrolment_id = e.id and state = 'active' and way = 'session') p on p.seats > 0
  where e.placed_by is null and list.paid_by = '{}'
  order by list.enrolled_at desc, e.id desc limit ${mostEnrolments}`;

const cancelForm = z.object({
  references: z
    .array(z.string().regex(/^BB-[2-9A-HJ-NP-Z]{6}$/))
    .min(1)
    .max(200),
  reason: requiredLine('the reason', 300),
});

type NotCancelled = { reference: string; why: string };
export type ClusterCancelled =
  | { ok: true; cancelled: number; left: NotCancelled[] }
  | { ok: false; status: 400; fault: string; reason: string };

/**
 * Cancels unpaid enrolments for one reason, each in a transaction of its own, so that one that cannot be cancelled does
 * not stop the others: everything charged comes off, so nothing is owed any more, the seats are free, and everybody is
 * told. What was paid or cancelled meanwhile, or has begun, stays as it is, and `left` says so.
 */
export async function cancelCluster(
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<ClusterCancelled> {
  const reason = String(form?.get('reason') ?? '');
  const parsed = cancelForm.safeParse({ references: form?.getAll('enrolment'), reason });
  if (!parsed.success) {
    const fault = parsed.error.issues[0]?.path[0] === 'reason' ? 'Enter the reason.' : 'Tick at least one enrolment.';
    return { ok: false, status: 400, fault: `${fault} Nothing was cancelled.`, reason };
  }
  const moment = momentOf(academy);
  const left: NotCancelled[] = [];
  for (const reference of parsed.data.references) {
    const why = await cancelOne(academy.db, { reference, reason: parsed.data.reason, actor }, moment);
    if (why !== null) left.push({ reference, why });
  }
  return { ok: true, cancelled: parsed.data.references.length - left.length, left };
}

const changed = 'someone changed it just now; look at it again';

type One = { reference: string; reason: string; actor: StaffActor };

/** Null when it is cancelled, otherwise why it is not. */
async function cancelOne(db: Db, one: One, moment: Moment): Promise<string | null> {
  try {
    return await db.transaction().execute((trx) => cancelUnpaid(trx, one, moment));
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (trouble === 'busy') return 'our system was busy, so it is not cancelled; try again';
    if (trouble) return 'our system was not available; check whether it is cancelled';
    const item = `enrolment:${one.reference}`;
    await recordFault(db, { job: 'cancel unpaid enrolments', item, error, at: moment.now });
    return 'something failed on our side; cancel it on its own page';
  }
}

async function cancelUnpaid(trx: Trx, { reference, reason, actor }: One, moment: Moment): Promise<string | null> {
  const subject = `enrolment:${reference}`;
  // As every act of staff on one enrolment.
  await lockActs(trx, subject);
  const enrolment = await trx
    .selectFrom('enrolments')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (!enrolment) return 'it has been deleted';
  const locked = await lockEnrolment(trx, enrolment.id, moment.now);
  if (!locked.ok) return changed;
  const active = locked.enrolment.places.filter(({ state }) => state === 'active');
  if (active.length === 0) return 'it is already cancelled';
  if ((await accountOf(trx, enrolment.id)).paidCents > 0) return 'someone has paid for it; look at it on its own page';
  // Who attended owes for that.
  if (active.some((place) => hasBegun(place, moment.today))) {
    return 'a course of it has begun, and what was attended stays owed; cancel it on its own page';
  }
  const cancellation = {
    enrolmentId: enrolment.id,
    placeIds: active.map(({ id }) => id),
    why: 'staff',
    actor,
    inFull: { reason },
    shownCents: null,
  } as const;
  const result = await cancelPlaces(trx, cancellation, moment);
  if (!result.ok) return changed;
  const details = { places: active.length };
  await writeAuditEntry(trx, {
    at: moment.now,
    personId: actor.person.id,
    action: 'cancel-unpaid',
    subject,
    details,
  });
  return null;
}
