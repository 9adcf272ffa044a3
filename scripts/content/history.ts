import type { Db } from '#app/db/client.server.ts';
import { type Published, revertTo } from '#app/features/content/commands.server.ts';
import { findRecord, listRevisions, readAuthorNames } from '#app/features/content/queries.server.ts';
import { compareRevisions, currentOf, type RecordRef, type Revision } from '#app/features/content/revisions.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';

/** The record of a kind, typed with spaces or hyphens, and a slug or name; an error in words when there is none. */
export async function recordNamed(db: Db, kind: string, key: string): Promise<RecordRef | string> {
  const record = (await findRecord(db, kind, key)) ?? (await findRecord(db, kind.replaceAll('-', ' '), key));
  return (
    record ?? `There is no ${kind} "${key}" with a history. Kinds are course, page, faq-group, combo and the like.`
  );
}

/** The revisions of a record for a terminal, newest first: number, day, who, and what it changed. */
export async function describeHistory(db: Db, record: RecordRef): Promise<string> {
  const revisions = await listRevisions(db, record);
  const names = await readAuthorNames(db, revisions);
  const current = currentOf(revisions);
  const lines = revisions.map((revision, at) => {
    const who =
      typeof revision.author === 'object' ? (names.get(revision.author.person) ?? '') : writtenBy[revision.author];
    const day = formatDay(academyDay(revision.at));
    const state = revision === current && revision.state === 'published' ? 'published now' : revision.state;
    const note = revision.note ? ` (${revision.note})` : '';
    return `${revision.number}  ${day}  ${who}  ${state}: ${whatChanged(revision, revisions[at - 1])}${note}`;
  });
  return [`${record.kind} ${record.key}`, ...lines.reverse()].join('\n');
}

/** The names of authors who are no persons. */
const writtenBy = { import: 'import', 'command line': 'command line', found: 'not recorded' };

function whatChanged(revision: Revision, before: Revision | undefined): string {
  if (!before) return 'first revision';
  const fields = compareRevisions(before, revision).map(({ field }) => (field === 'at' ? 'place in the list' : field));
  return fields.length > 0 ? fields.join(', ') : 'same fields';
}

/** Reverts a record. Returns the result in words, and whether the record is now as wished. */
export async function revertRecord(
  db: Db,
  record: RecordRef,
  number: number,
  at: { now: Date; today: string },
): Promise<{ done: boolean; lines: string[] }> {
  const wish = { id: record.id, number, author: 'command line', note: null } as const;
  const result = await db.transaction().execute((trx) => revertTo(trx, wish, at));
  const name = `${record.kind} ${record.key}`;
  if (result.ok)
    return { done: true, lines: [`${name} is as it was in revision ${number}: revision ${result.number}.`] };
  return { done: result.reason === 'unchanged', lines: refused(name, number, result) };
}

type Refused = Exclude<Published | { ok: false; reason: 'unknown' }, { ok: true }>;

function refused(name: string, number: number, result: Refused): string[] {
  if (result.reason === 'unsound') return [...result.faults, 'Nothing was changed.'];
  if (result.reason === 'unknown') return [`${name} has no published revision ${number}. Nothing was changed.`];
  if (result.reason === 'moved-on') return [`${name} has changed meanwhile. Nothing was changed.`];
  return [`${name} is as it was in revision ${number} already.`];
}
