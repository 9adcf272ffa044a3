import type { Db } from '#app/db/client.server.ts';
import { moveDatesBack } from './calendar.ts';
import { faultsOfChange } from './change-faults.server.ts';
import { recordAt } from './check-record.ts';
import { type At, planWish } from './commands.server.ts';
import { readAround } from './examine.server.ts';
import { titleOf } from './form/kinds.ts';
import { labelOf } from './messages-to-staff.ts';
import type { RecordKind } from './records.ts';
import type { RecordRef } from './revisions.ts';
import { crossFaults } from './rules.ts';

/** A record that names the one in question, and in which of its fields. */
export type NeededBy = { id: number; kind: RecordKind; title: string; fields: string[] };

/** The obstacles to retiring a record: other records that name it, and sentences about the rest. */
export async function whatNeeds(db: Db, record: RecordRef, at: At): Promise<{ records: NeededBy[]; others: string[] }> {
  const opened = await readAround(db, record);
  if (!opened.live) return { records: [], others: [] };
  const planned = planWish(opened, null, at);
  if ('faults' in planned) return { records: [], others: planned.faults };
  const { content, shiftWeeks } = planned;
  const files = content.courses.map(({ slug }) => `courses/${slug}.yaml`);
  const found = crossFaults(moveDatesBack(content, shiftWeeks), files, []);
  const others = (await faultsOfChange(db, planned)).slice(found.length);
  const rows = await db.selectFrom('content_records').select(['id', 'kind', 'key']).execute();
  const records = new Map<number, NeededBy>();
  for (const fault of found) {
    const at = recordAt(content, fault);
    const row = rows.find(({ kind, key }) => kind === at?.kind && key === at.key);
    if (!at || !row) {
      others.push(fault.message);
      continue;
    }
    const value = opened.ours.find(({ kind, key }) => kind === at.kind && key === at.key)?.value ?? {};
    const known = records.get(row.id) ?? { id: row.id, kind: at.kind, title: titleOf(at.kind, value), fields: [] };
    const label = labelOf(at.kind, String(at.path[0]));
    records.set(row.id, { ...known, fields: [...new Set([...known.fields, label])] });
  }
  return { records: [...records.values()], others };
}
