import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { askersKeptDays, askersNeeded, wordsKeptDays } from '#app/features/catalogue/visits/searches.server.ts';
import { requirePermission } from '#app/features/people/actor.ts';
import { instantsOf, type Period } from './period.ts';
import type { Report } from './report.ts';

type Steps = { reads: number; begun: number; placed: number; paid: number };

/** From the page of each course to money. */
async function stepsOf(db: Db, period: Period): Promise<(Steps & { courseId: number })[]> {
  const { from, end } = instantsOf(period);
  const { rows } = await sql<Steps & { courseId: number }>`
    select course_id as "courseId", sum(reads) as reads, sum(begun) as begun, sum(placed) as placed, sum(paid) as paid from (
      select course_id, reads, begun, 0 as placed, 0 as paid from course_days where day >= ${period.from} and day < ${period.end}
      union all
      select course_id, 0, 0, 1, (balance_cents <= 0 and paid_by <> '{}')::integer
        from enrolment_list list
          join (select distinct enrolment_id, course_id from places) as its on its.enrolment_id = list.enrolment_id
          join enrolments on enrolments.id = list.enrolment_id
        where placed_by is null and enrolled_at >= ${from} and enrolled_at < ${end}
    ) as counted group by 1`.execute(db);
  return rows;
}

const columns = [
  { head: 'Course', kind: 'text' },
  { head: 'Pages read', kind: 'count' },
  { head: 'Checkouts begun', kind: 'count' },
  { head: 'Placed', kind: 'count' },
  { head: 'Of them paid', kind: 'count' },
] as const;

const counted = [
  'Pages, not people: each time the page of a course was opened counts, also twice by the same visitor. No cookie is set and nothing is kept of who it was.',
  'A page counts when a browser says that it fetches it for its window. Programs that say what they are, and browsers that don’t say how they fetch, are left out. A program that pretends to be a browser counts.',
  'What a proxy or a CDN in front answers is not counted. A page that a browser fetched while the pointer rested on its link, and showed without asking again, is not counted either: read the figure as the least there were.',
  'We write the counts down each minute; when the program is killed, up to a minute is lost. We count since this report came.',
  '“Begun” counts a checkout when its first step was sent, once for each of its courses. “Placed” counts enrolments from our pages on the day on which they were placed, once for each of their courses; what staff placed is left out. “Paid” counts those of them on which money came and nothing is owed now.',
];

export const steps: Report = {
  slug: 'page-to-payment',
  title: 'From page to payment',
  about: 'How often a course’s page was read, a checkout begun, an enrolment placed and paid, by course.',
  definition: counted,
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const found = await stepsOf(db, period);
    const titles = await db
      .selectFrom('courses')
      .select(['id', 'title'])
      .where('id', 'in', [0, ...found.map(({ courseId }) => courseId)])
      .execute();
    const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
    const rows = found
      .map(
        ({ courseId, reads, begun, placed, paid }) =>
          [titleOf.get(courseId) ?? '', reads, begun, placed, paid] as const,
      )
      .toSorted((a, b) => b[1] - a[1] || b[3] - a[3] || (a[0] < b[0] ? -1 : 1));
    return { columns, rows, charts: [], hasSum: true };
  },
};

/** The most words shown. */
const mostWords = 500;

export const searches: Report = {
  slug: 'searches',
  title: 'Searches in vain',
  about: 'What visitors searched for and no course matched: words only.',
  definition: [
    'A search counts when no course matched its words, also when courses that come close were shown. It counts once a minute for each network; of words typed bit by bit the longest count.',
    `Words are kept once ${askersNeeded} different networks asked for them within ${askersKeptDays} days. Until then, and for words that may be an address or a phone number or that name a person we know, only the number is kept: “Words not kept”. Nothing is kept of who searched; words are forgotten after ${wordsKeptDays} days.`,
    `Searches that a proxy or a CDN answers are not counted. The page shows the ${mostWords} words searched for most.`,
  ],
  async read(db, actor, { from, end }) {
    requirePermission(actor, 'reports:read');
    const { rows } = await sql<{ words: string; asked: number }>`
      select words, sum(asked) as asked from lost_searches where day >= ${from} and day < ${end}
      group by words order by words = '', asked desc, words limit ${mostWords}`.execute(db);
    return {
      columns: [
        { head: 'Words', kind: 'text' },
        { head: 'Times', kind: 'count' },
      ],
      rows: rows.map(({ words, asked }) => [words === '' ? 'Words not kept' : words, asked]),
      charts: [],
      hasSum: true,
    };
  },
};
