import type { ContentRecord, RecordValue } from './records.ts';

/**
 * Gives a module the title that its course has for it now, when only that was corrected: text and curriculum name one
 * module alike, in the files too. A title that stands elsewhere in the course is a module that moved or came, and says
 * nothing about this one.
 */
export function renamedModule(before: ContentRecord, after: ContentRecord): (record: ContentRecord) => ContentRecord {
  const [old, now] = [titlesOf(before.value), titlesOf(after.value)];
  return (record) => {
    const { course, number, title } = record.value;
    if (record.kind !== 'module' || course !== before.key) return record;
    const next = now[Number(number) - 1];
    const isRenamed = old[Number(number) - 1] === title && next !== undefined && !old.includes(next);
    return isRenamed && !now.includes(String(title)) ? { ...record, value: { ...record.value, title: next } } : record;
  };
}

/** The titles in a curriculum; a draft may lack some. */
const titlesOf = ({ curriculum }: RecordValue): string[] =>
  Array.isArray(curriculum) ? curriculum.map((one: { module?: unknown }) => String(one.module ?? '')) : [];
