import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { kindInAddress, kinds } from '#app/features/content/form/kinds.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Permission } from '#app/features/people/permissions.ts';
import { courseDates, courses } from '#app/features/reports/find/courses.server.ts';
import { type FindAnswer, type Found, type FoundGroup, mostShown } from '#app/features/reports/find/found.ts';
import { namedAct, pagesOf } from '#app/features/reports/find/named-acts.ts';
import {
  documents,
  enquiries,
  enrolmentIds,
  enrolmentRows,
  organisations,
  paymentsOf,
  people,
  quotes,
} from '#app/features/reports/find/records.server.ts';
import { searchOf } from '#app/features/reports/find/search.ts';
import { recordsNaming } from '#app/features/reports/find/words.server.ts';
import { beginsAll } from '#app/lib/beginnings.ts';
import type { Day } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { type May, menuPages, navFor, openTo, staffActs } from '#app/routes/staff/nav.ts';

/**
 * Whatever a member of staff may open that has all words of a search at the beginning of one of its own, in groups of
 * at most six (P82). `byCard`: whether card payments are set up.
 */
export async function findAnything(
  db: Db,
  actor: StaffActor,
  text: string,
  { today, byCard }: { today: Day; byCard: boolean },
): Promise<FindAnswer> {
  const search = searchOf(text);
  const { typed, words } = search;
  const sees = (permission: Permission) => actor.can.has(permission);
  const may = { has: sees, byCard };
  const reads = typed !== '';
  const naming =
    reads && (sees('people:read') || sees('enquiries:read') || sees('enrolments:read'))
      ? await recordsNaming(db, search)
      : [];
  const ids = reads && sees('enrolments:read') ? await enrolmentIds(db, actor, search, naming) : [];
  const groups: FoundGroup[] = [];
  const add = (name: string, rows: Found[], all: string | null = null, more = rows.length > mostShown) => {
    if (rows.length > 0) groups.push({ name, rows: rows.slice(0, mostShown).map(readable), all: more ? all : null });
  };
  const listOf = (path: string) => `${path}?${new URLSearchParams({ search: typed })}`;
  if (ids.length > 0) {
    const rows = await enrolmentRows(db, actor, ids, words);
    add('Enrolments', rows, listOf(href('/staff/enrolments')), ids.length > mostShown);
  }
  if (sees('people:read')) add('People', await people(db, actor, naming), listOf(href('/staff/people')));
  if (reads && sees('money:read')) {
    const all = `${href('/staff/payments')}?${new URLSearchParams({ show: 'all', search: typed })}`;
    add('Payments', await paymentsOf(db, actor, search), all);
    add('Invoices', await documents(db, actor, search, ids));
  }
  if (words.length > 0 && sees('companies:read')) {
    add('Organisations', await organisations(db, actor, typed), listOf(href('/staff/organisations')));
    add('Quotes', await quotes(db, actor, typed), listOf(href('/staff/offers')));
  }
  // With an act such as `move`, courses and dates are found by the words behind it.
  const named = namedAct(may, words);
  const theirWords = named?.words ?? words;
  const foundCourses = sees('content:read') ? await courses(db, actor, theirWords) : [];
  const foundDates = sees('course-dates:read') ? await courseDates(db, actor, theirWords, today) : [];
  const rowOf = ({ row }: { row: Found }) => row;
  add('Courses', foundCourses.map(rowOf));
  add('Course dates', foundDates.map(rowOf));
  if (reads && sees('enquiries:read')) {
    add('Messages', await enquiries(db, actor, search, naming), listOf(href('/staff/enquiries')));
  }
  const itsPages = pages(may, words);
  const itsActs = named ? pagesOf(named.act, foundCourses, foundDates) : [];
  add('Pages', itsPages);
  add('Do', itsActs.length > 0 ? itsActs : doable(may, typed, words));
  // A person who types the name of a page or act wants that, and not somebody with the word in their address.
  const lead = itsActs.length > 0 ? 'Do' : itsPages.some(({ text }) => isCalled(text, typed)) ? 'Pages' : null;
  const inOrder = [...groups.filter(({ name }) => name === lead), ...groups.filter(({ name }) => name !== lead)];
  return { typed: showControlCharacters(typed), words, groups: inOrder };
}

/** Whether a page's name begins with the typed text; one or two letters say too little. */
const isCalled = (text: string, typed: string): boolean =>
  typed.length > 2 && text.toLowerCase().startsWith(typed.toLowerCase());

const readable = (found: Found): Found => ({
  ...found,
  text: showControlCharacters(found.text),
  line: showControlCharacters(found.line),
  end: showControlCharacters(found.end),
});

/** Pages of the back office that a person may open, by their name or that of their entry in the bar. */
function pages(may: May, words: readonly string[]): Found[] {
  const entries = navFor(may).flatMap(({ text: entry, under }) =>
    under.map(({ to, text, called }) => ({ to, text, line: text === entry ? '' : entry, called })),
  );
  const menu = openTo(menuPages, may).map(({ to, text, called }) => ({ to, text, line: '', called }));
  const texts = Object.entries(may.has('content:read') ? kinds : {}).map(([kind, { many }]) => ({
    to: href('/staff/content/:kind', { kind: kindInAddress(kind as keyof typeof kinds) }),
    text: many,
    line: 'Content',
    called: '',
  }));
  if (words.length === 0) return [];
  return [...entries, ...menu, ...texts]
    .filter(({ text, line, called = '' }) => beginsAll(`${text} ${line} ${called}`, words))
    .map(({ to, text, line }) => ({ to, text, line, end: '' }));
}

/** The permitted acts whose words begin with the search; any search can be the name of a person to enrol. */
function doable(may: May, typed: string, words: readonly string[]): Found[] {
  const known = staffActs
    .filter(
      ({ needs, text, called = '' }) => may.has(needs) && words.length > 0 && beginsAll(`${text} ${called}`, words),
    )
    .map(({ to, text, line }) => ({ to, text, line, end: '' }));
  if (!may.has('enrolments:change') || typed === '') return known;
  const enrol = href('/staff/enrolments/new');
  if (beginsAll('enrol by hand', words)) {
    return [...known, { to: enrol, text: 'Enrol by hand', line: 'Starts an empty form', end: '' }];
  }
  const named = `${enrol}?${new URLSearchParams({ find: typed })}`;
  return [...known, { to: named, text: `Enrol “${typed}” by hand`, line: 'Starts a form with this name', end: '' }];
}
