import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { lockActs } from '#app/features/people/staff-act.server.ts';
import { type Asker, filledFor } from './answer-fields.ts';

/** A template of answers (P81), with its fields in braces. */
export type AnswerTemplate = { id: number; name: string; body: string; retired: boolean };

/** So many are in use at most: the list to choose from stays one that people read. */
export const mostTemplates = 50;

/** All templates by name, those in use first. */
export async function listTemplates(db: Db, actor: StaffActor): Promise<AnswerTemplate[]> {
  requirePermission(actor, 'inbox:read');
  const rows = await db
    .selectFrom('answer_templates')
    .select(['id', 'name', 'body', 'retired_at'])
    .orderBy(sql`retired_at is not null`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return rows.map(({ retired_at, ...row }) => ({ ...row, retired: retired_at !== null }));
}

/** A template with its text filled in. */
export type FilledTemplate = { id: number; name: string; text: string };

/** Those in use, filled in for an answer; none for staff who may not see them. `website` has no slash at its end. */
export async function templatesFor(
  db: Db,
  asker: Asker,
  { actor, website }: { actor: StaffActor; website: string },
): Promise<FilledTemplate[]> {
  if (!actor.can.has('inbox:read')) return [];
  const from = { name: actor.person.name, website };
  return (await listTemplates(db, actor))
    .filter(({ retired }) => !retired)
    .map(({ id, name, body }) => ({ id, name, text: filledFor(body, asker, from) }));
}

export type NotKept = { ok: false; reason: 'name-taken' | 'too-many' | 'missing' };

/** Writes a template. Names differ among those in use, whatever their letters' case. Returns its id. */
export async function writeTemplate(
  trx: Trx,
  { name, body }: { name: string; body: string },
  { actor, at }: { actor: StaffActor; at: Date },
): Promise<{ ok: true; id: number } | NotKept> {
  requirePermission(actor, 'templates:change');
  const refusal = await refusalOf(trx, { name, id: null });
  if (refusal) return refusal;
  const { id } = await trx
    .insertInto('answer_templates')
    .values({ name, body })
    .returning('id')
    .executeTakeFirstOrThrow();
  const subject = `template:${id}`;
  await writeAuditEntry(trx, { at, personId: actor.person.id, action: 'write-template', subject, details: {} });
  return { ok: true, id };
}

/** Changes the name and text of a template. */
export async function changeTemplate(
  trx: Trx,
  { id, name, body }: { id: number; name: string; body: string },
  actor: StaffActor,
): Promise<{ ok: true } | NotKept> {
  requirePermission(actor, 'templates:change');
  const own = await findTemplate(trx, id);
  if (!own) return { ok: false, reason: 'missing' };
  const refusal = own.retired_at === null ? await refusalOf(trx, { name, id }) : null;
  if (refusal) return refusal;
  await trx.updateTable('answer_templates').set({ name, body }).where('id', '=', id).execute();
  return { ok: true };
}

/** Takes a template out of use, or brings it back (`at` null). */
export async function retireTemplate(
  trx: Trx,
  { id, at }: { id: number; at: Date | null },
  actor: StaffActor,
): Promise<{ ok: true } | NotKept> {
  requirePermission(actor, 'templates:change');
  const own = await findTemplate(trx, id);
  if (!own) return { ok: false, reason: 'missing' };
  const refusal = at === null && own.retired_at !== null ? await refusalOf(trx, { name: own.name, id }) : null;
  if (refusal) return refusal;
  await trx.updateTable('answer_templates').set({ retired_at: at }).where('id', '=', id).execute();
  return { ok: true };
}

const findTemplate = (trx: Trx, id: number) =>
  trx.selectFrom('answer_templates').select(['name', 'retired_at']).where('id', '=', id).executeTakeFirst();

/** Why a template cannot be in use under a name; `id` is its own. One at a time, so that no two pass together. */
async function refusalOf(trx: Trx, { name, id }: { name: string; id: number | null }): Promise<NotKept | null> {
  await lockActs(trx, 'templates');
  const used = await trx
    .selectFrom('answer_templates')
    .select(['id', 'name'])
    .where('retired_at', 'is', null)
    .execute();
  const others = used.filter((one) => one.id !== id);
  if (others.some((one) => one.name.toLowerCase() === name.toLowerCase())) return { ok: false, reason: 'name-taken' };
  return others.length >= mostTemplates ? { ok: false, reason: 'too-many' } : null;
}
