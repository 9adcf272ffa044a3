import type { Db, Trx } from '#app/db/client.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';

type Act = {
  organisationId: number;
  /** Who did it; null for staff. */
  personId: number | null;
  act: CompanyAct;
  enrolmentId?: number;
  /** The row of a manager who was added or ended. */
  managerId?: number;
  at: Date;
};

/** The acts that managers read, in words that follow a name (P116). */
const words = {
  'set-up': 'set this page up',
  give: 'gave an enrolment to it',
  take: 'took an enrolment',
  leave: 'left an enrolment with its buyer',
  'take-back': 'took an enrolment back from it',
  'add-manager': 'added a manager',
  'end-manager': 'ended a manager',
  cancelled: 'cancelled places',
  moved: 'moved a place',
  kept: 'kept a place',
  named: 'named who attends',
  added: 'added a person',
  corrected: 'corrected the details of the invoice',
} as const;
export type CompanyAct = keyof typeof words;

/** Notes what was done in the name of an organisation, in the transaction of the act. */
export async function writeAct(
  trx: Trx,
  { organisationId, personId, act, enrolmentId, managerId, at }: Act,
): Promise<void> {
  await trx
    .insertInto('organisation_acts')
    .values({
      organisation_id: organisationId,
      person_id: personId,
      act,
      enrolment_id: enrolmentId ?? null,
      manager_id: managerId ?? null,
      at,
    })
    .execute();
}

/**
 * Notes what was done by the link of an enrolment that belongs to an organisation, so that its managers read who did what
 * (P116). `personId` is a manager; null: its buyer.
 */
export async function recordBuyersAct(
  trx: Trx,
  { enrolmentId, personId, act, at }: { enrolmentId: number; personId: number | null; act: string; at: Date },
): Promise<void> {
  if (!isAct(act)) return;
  const enrolment = await trx
    .selectFrom('enrolments')
    .select(['organisation_id', 'person_id'])
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const { organisation_id: organisationId } = enrolment;
  if (organisationId === null) return;
  await writeAct(trx, { organisationId, personId: personId ?? enrolment.person_id, act, enrolmentId, at });
}

const isAct = (act: string): act is CompanyAct => Object.hasOwn(words, act);

/** How many of the newest acts a page shows. */
const mostShown = 30;

/** What was done in the name of an organisation, or to one enrolment, the newest first. */
export async function readActs(db: Db, of: { organisationId: number } | { enrolmentId: number }) {
  const rows = await db
    .selectFrom('organisation_acts as act')
    .leftJoin('people', 'people.id', 'act.person_id')
    .leftJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .leftJoin('organisation_managers as manager', 'manager.id', 'manager_id')
    .leftJoin('people as whom', 'whom.id', 'manager.person_id')
    .select(['act.id', 'act.act', 'act.at', 'people.name', 'people.email', 'reference'])
    .select(['whom.name as whom', 'whom.email as whomEmail'])
    .where(
      'organisationId' in of ? 'act.organisation_id' : 'act.enrolment_id',
      '=',
      'organisationId' in of ? of.organisationId : of.enrolmentId,
    )
    .orderBy('act.id', 'desc')
    .limit(mostShown)
    .execute();
  return rows.map(({ id, act, at, name, email, reference, whom, whomEmail }) => ({
    id,
    by: name ?? email ?? 'Our staff',
    did: isAct(act) ? words[act] : act,
    about: whom ?? whomEmail ?? reference,
    at: formatMoment(at),
  }));
}
