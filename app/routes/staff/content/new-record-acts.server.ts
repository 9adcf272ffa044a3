import { isUsableKey, makeRecord } from '#app/features/content/drafts.server.ts';
import { saveRecordDraft } from '#app/features/content/edit.server.ts';
import { fieldsToType } from '#app/features/content/form/fields.ts';
import { isFormAct } from '#app/features/content/form/form-acts.ts';
import { kindInAddress, wordsOf } from '#app/features/content/form/kinds.ts';
import { valueTyped } from '#app/features/content/form/typed.ts';
import { keyOfValue, type RecordKind, type RecordValue } from '#app/features/content/records.ts';
import { findRecordId } from '#app/features/content/records-by-key.server.ts';
import { takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { slugFrom } from '#app/lib/slug-from.ts';
import { notEditedInWords } from './not-edited-in-words.ts';
import {
  kept,
  type RecordSent,
  recordAddress,
  recordSchema,
  refusedWith,
  type Sent,
  workedOn,
} from './record-acts.server.ts';

/** Takes the form of a new record: its first save makes the record. */
export async function takeNewRecord(academy: Academy, kind: RecordKind, sent: Sent): Promise<RecordSent> {
  const typed = textsOf(sent.form);
  const fields = fieldsToType(kind, false);
  if (isFormAct(typed.act ?? '')) return workedOn(typed, fields, {});
  let made = 0;
  const result = await takeStaffAct(academy, {
    ...sent,
    schema: recordSchema,
    subject: `content-new:${kindInAddress(kind)}`,
    compares: false,
    words: { kept },
    act: async (trx, { note }, { now }) => {
      const value = withAddress(kind, valueTyped(fields, typed));
      const key = keyOfValue(kind, value);
      if (!isUsableKey(key)) {
        return refusedWith('It needs a name to be found by.', {
          [`v.${nameField(kind)}`]: 'Enter one, so that we can save it.',
        });
      }
      const record = await makeRecord(trx, kind, key);
      if (!record) {
        return refusedWith(`Another ${wordsOf(kind).one} has, or had, the address or name "${key}".`, {
          [`v.${keyField(kind)}`]: 'Choose another one.',
        });
      }
      made = record.id;
      const edit = { id: record.id, base: 0, onto: 0, typed: value, note: note.trim() || null };
      const saved = await saveRecordDraft(trx, edit, { editor: { person: sent.actor.person.id }, now });
      if (!saved.ok) return refusedWith(notEditedInWords(saved, kind));
      return { ok: true, did: { action: 'make-content', details: { record: record.id, kind } } };
    },
  });
  if (!result.ok) return result;
  const id =
    made > 0 ? made : ((await findRecordId(academy.db, kind, withAddress(kind, valueTyped(fields, typed)))) ?? 0);
  return { ok: true, to: recordAddress({ kind, id }) };
}

/** An address that nobody typed is made from the title. */
export function withAddress(kind: RecordKind, value: RecordValue): RecordValue {
  if (keyField(kind) !== 'slug' || value.slug) return value;
  return { ...value, slug: slugFrom(String(value[wordsOf(kind).title] ?? '')) };
}

/** The field that names a record for whoever reads the form. */
const nameField = (kind: RecordKind): string => (keyField(kind) === 'slug' ? wordsOf(kind).title : keyField(kind));

const keyField = (kind: RecordKind): string =>
  ({ claim: 'id', exam: 'code', synonym: 'typed', partner: 'name', 'hero slide': 'title', module: 'number' })[
    kind as string
  ] ?? 'slug';
