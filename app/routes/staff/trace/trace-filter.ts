import type { TraceFilter } from '#app/audit/trace.server.ts';
import { dayOf } from '#app/lib/day-text.ts';

/** The kinds of subjects of entries, with their words. */
export const traceKinds: Readonly<Record<string, string>> = {
  enrolment: 'Enrolments',
  offer: 'Quotes',
  organisation: 'Organisations',
  payment: 'Payments',
  payments: 'Suggestions for payments',
  accountant: 'Files for the accountant',
  'accountant-file': 'Downloads for the accountant',
  'document-numbers': 'Numbers of documents',
  'bank-line': 'Bank statements',
  'course-date': 'Course dates',
  'live-hour': 'Live hours',
  place: 'Places',
  certificate: 'Certificates',
  answer: 'Exercises',
  module: 'Modules handed out',
  course: 'Prices',
  prices: 'Original prices',
  promotion: 'Promotions',
  content: 'Content',
  'content-new': 'New content',
  enquiry: 'Messages',
  conversation: 'Chats',
  booking: 'Bookings',
  template: 'Templates of answers',
  'waiting-entry': 'Waiting lists',
  mail: 'Mail',
  'bulk-action': 'Bulk actions',
  job: 'Jobs',
  note: 'Notes',
  list: 'Downloads of lists',
  views: 'Saved views',
  person: 'People and roles',
};

const names = ['who', 'kind', 'about', 'from', 'to'] as const;

/** Reads any query; what makes no sense is left out. `before` is the entry after which a page begins. */
export function traceFilterOf(params: URLSearchParams): TraceFilter & { before: number | null } {
  const textOf = (name: string) => params.get(name)?.trim() ?? '';
  const numberOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);
  const [who, kind, about] = [textOf('who'), textOf('kind'), textOf('about')];
  return {
    who: who === 'program' ? who : numberOf(who),
    kind: Object.hasOwn(traceKinds, kind) ? kind : null,
    about: about === '' || about.length > 200 || about.includes('\0') || !about.isWellFormed() ? null : about,
    from: dayOf(textOf('from')),
    to: dayOf(textOf('to')),
    before: numberOf(textOf('before')),
  };
}

/** The query of a filter, without its page. */
export function traceQueryOf(filter: TraceFilter): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (filter[name] === null ? [] : [[name, String(filter[name])]])));
}

/** The page of an entry's subject; null when it has none. */
export function pageOfSubject(subject: string): string | null {
  const at = subject.indexOf(':');
  const [kind, about] = [subject.slice(0, at), encodeURIComponent(subject.slice(at + 1))];
  const folder = pages[kind];
  return folder && about ? `/staff/${folder}/${about}` : null;
}

const pages: Readonly<Record<string, string>> = {
  enrolment: 'enrolments',
  offer: 'offers',
  organisation: 'organisations',
  payment: 'payments',
  'course-date': 'course-dates',
  'live-hour': 'live-hours',
  certificate: 'certificates',
  answer: 'answers',
  'bulk-action': 'bulk-actions',
  booking: 'bookings',
  course: 'prices',
  enquiry: 'enquiries',
  conversation: 'conversations',
  person: 'people',
};

/** What staff call something by another name than the program does. */
const others: Readonly<Record<string, string>> = {
  conversation: 'chat',
  answer: 'exercise',
  offer: 'quote',
  list: 'list of',
  'content-new': 'new',
};
const lists: Readonly<Record<string, string>> = {
  enquiries: 'messages',
  owed: 'who owes',
  trace: 'who did what',
  money: 'money and refunds',
  'money-invoices': 'tax invoices',
  'money-notes': 'adjustment notes',
  'money-received': 'money for enrolments',
  'money-refunded': 'refunds',
  'money-unmatched': 'money without an enrolment',
  'money-cash': 'all money and refunds',
};

/** The subject of an entry, such as `Payment 105`; a reference that needs no word before it is alone. */
export function subjectInWords(subject: string): string {
  const at = subject.indexOf(':');
  const [kind, about] = [subject.slice(0, at), subject.slice(at + 1)];
  if (at < 1 || /^BB-/.test(about)) return about;
  const word = others[kind] ?? kind.replaceAll('-', ' ');
  const named = /^[a-z-]+$/.test(about) ? about.replaceAll('-', ' ') : about;
  const its = kind === 'list' ? (lists[about] ?? named) : named;
  return kind === 'course-date' ? about : `${word.charAt(0).toUpperCase()}${word.slice(1)} ${its}`;
}
