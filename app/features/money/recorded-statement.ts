import type { Recorded } from './statements.server.ts';

/** What became of a statement; `faults` are the numbers of the lines that could not be read. */
export type RecordedStatement = Recorded & { faults: number[] };

/** Numbers of lines that an address or an entry holds. */
const mostNumbers = 20;

/** Numbers of lines in words: the first of them, and how many more there are; empty when there are none. */
export function numbersInWords(numbers: readonly number[]): string {
  const more = numbers.length - mostNumbers;
  return numbers.slice(0, mostNumbers).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The query of the page that tells what became of a statement; without counts when it was recorded before. */
export function recordedQuery(recorded: RecordedStatement | null): URLSearchParams {
  const { failed = [], faults = [], ...counts } = recorded ?? {};
  const lists = Object.entries({ failed, faults }).filter(([, numbers]) => numbers.length > 0);
  return new URLSearchParams([
    ['statement', 'recorded'],
    ...Object.entries(counts).map(([name, count]) => [name, String(count)]),
    ...lists.map(([name, numbers]) => [name, numbersInWords(numbers)]),
  ]);
}

/** What an address tells of a statement; null when it tells of none. */
export function recordedIn(params: URLSearchParams) {
  if (params.get('statement') !== 'recorded') return null;
  const count = (name: string) => Number(/^\d{1,6}$/.exec(params.get(name) ?? '')?.[0] ?? 0);
  const numbers = (name: string) => /^\d{1,7}(, \d{1,7})*( and \d{1,7} more)?$/.exec(params.get(name) ?? '')?.[0] ?? '';
  return {
    told: params.has('recorded'),
    recorded: count('recorded'),
    known: count('known'),
    unmatched: count('unmatched'),
    outgoing: count('outgoing'),
    failed: numbers('failed'),
    faults: numbers('faults'),
  };
}
