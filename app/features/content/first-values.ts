import type { Day } from '#app/lib/dates.ts';
import type { RecordFault } from './check-record.ts';
import type { RecordKind, RecordValue } from './records.ts';

/**
 * A record that is to be published for the first time, or again, with what is true of every new one: a course without
 * learners is first offered on the day of publishing, `today` in Brisbane, and nobody has taken it (P70, decision 122).
 */
export function withFirstValues(kind: RecordKind, value: RecordValue, today: Day): RecordValue {
  if (kind !== 'course') return value;
  return { ...value, published: value.published || today, learners: value.learners ?? 0 };
}

type Change = { kind: RecordKind; before: RecordValue | undefined; after: RecordValue; today: Day };

/** A course is not said to be offered since a day that is still ahead; the days that an import moved stay (P13). */
export function firstOfferedFaults({ kind, before, after, today }: Change): RecordFault[] {
  const published = String(after.published ?? '');
  if (kind !== 'course' || published <= today || published === before?.published) return [];
  const message = 'must not lie ahead: left empty, it is the day on which we publish the course';
  return [{ path: ['published'], message }];
}
