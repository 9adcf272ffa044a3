import type { Trx } from '#app/db/client.server.ts';
import { managerNamed } from '#app/emails/manager-named.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { FormLimit } from '#app/http/form-limit.server.ts';
import { nameForOthers } from '#app/lib/shown-name.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { writeAct } from './acts.server.ts';
import { companyUrl } from './company-path.ts';
import { addManager } from './organisations.server.ts';
import { managersOf, type Named, nameOfOrganisation } from './queries.server.ts';

/** An organisation has at most so many managers. */
export const mostManagers = 20;

type Naming = Named & {
  /** Of the new manager. */
  email: string;
  limit: FormLimit;
  /** The network address that asks. */
  from: string;
};

/**
 * A manager makes the person with an address a manager (P116), and mails them the link to log in by, which proves the
 * address. Nothing happens when they are one. `too-many` managers, or `too-often` mails from there (P24).
 */
export async function nameColleague(
  trx: Trx,
  { organisationId, personId, email, limit, from }: Naming,
  { now: at, academy }: Moment,
): Promise<{ ok: true } | { ok: false; reason: 'too-many' } | { ok: false; reason: 'too-often'; waitMs: number }> {
  await lockManagers(trx, organisationId);
  const managers = await managersOf(trx, organisationId);
  if (managers.length >= mostManagers) return { ok: false, reason: 'too-many' };
  const managerId = await addManager(trx, { organisationId, email, at });
  if (managerId === null) return { ok: true };
  const room = await askForMail(trx, { limit, kind: 'manager', to: email, from }, at);
  if (!room.ok) return { ok: false, reason: 'too-often', waitMs: room.waitMs };
  await room.count();
  await writeAct(trx, { organisationId, personId, act: 'add-manager', managerId, at });
  const by = managers.find((manager) => manager.personId === personId);
  await queueMail(trx, {
    kind: 'manager-named',
    about: 'nothing',
    to: email,
    replyTo: academy.email,
    ...managerNamed({
      // Both were typed by somebody, and the reader may be a stranger (P49).
      name: nameForOthers(await nameOfOrganisation(trx, organisationId)) ?? 'an organisation',
      by: nameForOthers(by?.name ?? '') ?? by?.email ?? academy.name,
      email,
      link: companyUrl(academy, organisationId),
      academy,
    }),
  });
  return { ok: true };
}

/**
 * A manager ends another or themselves (P116). `last`: no other is left who has proved an address, so one has to be named
 * first. Nothing happens when that manager had ended.
 */
export async function endColleague(
  trx: Trx,
  { organisationId, personId, managerId, at }: Named & { managerId: number; at: Date },
): Promise<{ ok: true } | { ok: false; reason: 'last' }> {
  await lockManagers(trx, organisationId);
  const managers = await managersOf(trx, organisationId);
  const ended = managers.find(({ id }) => id === managerId);
  if (!ended) return { ok: true };
  if (!managers.some(({ id, proved }) => id !== managerId && proved)) return { ok: false, reason: 'last' };
  await trx.updateTable('organisation_managers').set({ ended_at: at }).where('id', '=', managerId).execute();
  await writeAct(trx, { organisationId, personId, act: 'end-manager', managerId, at });
  return { ok: true };
}

/** Who names and ends managers of one organisation follow each other: two who end each other at once leave one. */
async function lockManagers(trx: Trx, organisationId: number): Promise<void> {
  await trx.selectFrom('organisations').select('id').where('id', '=', organisationId).forUpdate().execute();
}
