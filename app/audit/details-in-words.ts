import { formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { formatTime } from '#app/lib/wall-clock.ts';

/**
 * The details of an entry, such as `from 15 September 2025, to 22 September 2025`; what stayed the same is left out.
 */
export function detailsInWords(details: unknown): string {
  const { from, to, state, ...others } = typeof details === 'object' && details !== null ? (details as Details) : {};
  const moved = from === to ? [] : [['from', from] as const, ['to', to] as const];
  const entries = [...moved, ['as', state] as const, ...Object.entries(others)];
  return entries
    .flatMap(([name, value]) => (name === 'filters' ? filtersIn(String(value)) : [[name, value] as const]))
    .filter(([name, value]) => value !== undefined && !internal.has(name))
    .map(([name, value]) => detailInWords(name, value))
    .join(', ');
}
type Details = Record<string, unknown>;

/** Numbers of the program that nobody knows anything by. */
const internal: ReadonlySet<string> = new Set(['hold', 'hour', 'mark', 'planned', 'record', 'refundId', 'view']);

/** The filters of a list that staff exported, from the stored search of its address. */
const filtersIn = (search: string) => [...new URLSearchParams(search)].map(([name, value]) => [name, value] as const);

/** Of a run: for how many it was begun, and how much of it was done when it was stopped. */
const counted: Readonly<Record<string, (value: unknown) => string>> = {
  count: (value) => `for ${value}`,
  done: (value) => `${value} done`,
  undone: (value) => `${value} not done`,
};

function detailInWords(name: string, value: unknown): string {
  const count = counted[name];
  if (count) return count(value);
  if (isCents(name) && typeof value === 'number') return formatExact(value);
  return `${fieldInWords(name)} ${valueInWords(name, value)}`;
}

const isReference = (name: string) => /^BB-/.test(name);
/** A reference names the part of a payment that is for its enrolment. */
const isCents = (name: string) => /^cents\b|Cents\b/.test(name) || isReference(name);

/** Days and amounts as people write them; a missing value is the word 'nothing'. */
function valueInWords(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (isCents(name) && typeof value === 'number') return formatExact(value);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatDays(text, text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formatMoment(new Date(text));
  return /^\d\d:\d\d$/.test(text) ? formatTime(text) : (values[text] ?? text);
}

/** What staff call a field, in the order in which first values are told. */
const names: Readonly<Record<string, string>> = {
  startDate: 'first day',
  endDate: 'last day',
  startTime: 'from',
  endTime: 'to',
  breakMinutes: 'minutes of breaks a day',
  delivery: 'taught',
  venue: 'city',
  instructor: 'instructor',
  capacity: 'seats',
  minimum: 'minimum',
  enrolmentEnds: 'enrolment ends',
  decidedBy: 'decided by',
  cents: 'amount',
  chargedCents: 'price',
  dueOn: 'due day',
};
const order = Object.keys(names);

const values: Readonly<Record<string, string>> = {
  both: 'online and in person',
  'in-person': 'in person',
  tentative: 'not confirmed',
};

/** A text that replaced another: its differences are shown word by word. */
export const isText = <Change extends { before: unknown; after: unknown }>(
  change: Change,
): change is Change & { before: string; after: string } =>
  [change.before, change.after].every((value) => typeof value === 'string' && value.includes(' '));

/** The name of a changed field in words, such as `seats`, `enrolment ends` or `price`. */
export function fieldInWords(field: string): string {
  if (isReference(field)) return field;
  const [own = '', of] = field.split(' of ');
  const plain = names[own] ?? own.replace(/(Cents|Id)$/, '').replaceAll('-', ' ');
  const words = plain.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return of ? `${words} of ${of.replace(/^(?=\d)/, 'instalment ')}` : words;
}

/**
 * The fields that changed: one that had a value before is `seats: 12 → 14`, each in a line of its own; what was written
 * for the first time is one line, `amount AU$2,299, method bank`. `nameOf` says what a field is called.
 */
export function changesInWords(
  changes: readonly { field: string; before: unknown; after: unknown }[],
  nameOf: (field: string) => string = fieldInWords,
): string[] {
  const isFirst = ({ before }: { before: unknown }) => before === null || before === undefined;
  const made = changes
    .filter((change) => isFirst(change) && change.after !== null)
    .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
  const payment = paymentInWords(new Map(made.map(({ field, after }) => [field, after])));
  const first = payment ? [payment] : made.map(({ field, after }) => `${nameOf(field)} ${valueInWords(field, after)}`);
  const changed = changes
    .filter((change) => !isFirst(change))
    .map(
      ({ field, before, after }) => `${nameOf(field)}: ${valueInWords(field, before)} → ${valueInWords(field, after)}`,
    );
  return [...(first.length > 0 ? [first.join(', ')] : []), ...changed];
}

const ways: Readonly<Record<string, string>> = { bank: ' by bank transfer', card: ' by card', other: '' };

/** A payment that was recorded: `AU$3,499.00 by bank transfer for BB-WL4684, received 27 November 2026`; else null. */
function paymentInWords(made: ReadonlyMap<string, unknown>): string | null {
  const way = ways[String(made.get('method'))];
  const [amount, day, enrolment] = [made.get('amountCents'), made.get('receivedOn'), made.get('enrolmentId')];
  if (way === undefined || typeof amount !== 'number' || typeof day !== 'string' || made.get('currency') !== 'AUD') {
    return null;
  }
  const whose = enrolment === undefined ? '' : ` for ${enrolment}`;
  return `${formatExact(amount)}${way}${whose}, received ${formatDays(day, day)}`;
}
