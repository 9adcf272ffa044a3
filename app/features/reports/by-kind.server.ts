import { type RawBuilder, sql } from 'kysely';
import { demand } from '#app/features/people/actor.ts';
import { figuresOf, sources } from './figures.server.ts';
import { instantsOf, type Period } from './period.ts';
import type { Report } from './report.ts';

type Sum = { name: string; places: number; revenue: number };

/** Places and revenue of a period for each course. */
const byCourse = (period: Period): RawBuilder<{ course_id: number; places: number; revenue: number }> => sql`
  select course_id, sum(items) as places, sum(cents) as revenue
  from ${figuresOf(['places', 'revenue'], period)} as figure group by course_id`;

const columns = (first: string) =>
  [
    { head: first, kind: 'text' },
    { head: 'Places', kind: 'count' },
    { head: 'Revenue, AU$', kind: 'money' },
  ] as const;
const rowOf = ({ name, places, revenue }: Sum) => [name, places, revenue];

const counted = [
  'A place counts on the day on which it was added to its enrolment, also when it was cancelled later; a move is no new place.',
  'Revenue counts by the day of issue: lines of tax invoices less those of adjustment notes, GST included. After a move, revenue stays with the course that was invoiced.',
];

export const courses: Report = {
  slug: 'courses',
  title: 'Courses',
  about: 'Places and revenue of each course.',
  definition: [...counted, 'Lines of enrolments whose records were deleted count as “Deleted enrolments”.'],
  async read(db, actor, period) {
    demand(actor, 'reports:read');
    const { rows } = await sql<Sum>`
      select coalesce(title, 'Deleted enrolments') as name, places, revenue
      from (${byCourse(period)}) as one left join courses on courses.id = one.course_id
      order by revenue desc, places desc, name`.execute(db);
    return { columns: columns('Course'), rows: rows.map(rowOf), charts: [], hasSum: true };
  },
};

export const tracks: Report = {
  slug: 'tracks',
  title: 'Tracks',
  about: 'Places and revenue of the courses of each track.',
  definition: [...counted, 'A course of several tracks counts in each, so the rows are not to be added up.'],
  async read(db, actor, period) {
    demand(actor, 'reports:read');
    const { rows } = await sql<Sum>`
      select tracks.name, coalesce(sum(places), 0) as places, coalesce(sum(revenue), 0) as revenue
      from tracks left join course_tracks on course_tracks.track_slug = tracks.slug
        left join (${byCourse(period)}) as one on one.course_id = course_tracks.course_id
      where tracks.retired_at is null or places is not null
      group by tracks.slug, tracks.name order by revenue desc, places desc, name`.execute(db);
    return { columns: columns('Track'), rows: rows.map(rowOf), charts: [], hasSum: false };
  },
};

const sourceNames: Record<(typeof sources)[number], string> = {
  'pages, private': 'Our pages, private buyers',
  'pages, organisations': 'Our pages, organisations',
  'staff, private': 'By staff, private buyers',
  'staff, organisations': 'By staff, organisations',
};

export const fromWhere: Report = {
  slug: 'sources',
  title: 'Sources',
  about: 'Where enrolments came from: our pages or staff, private buyers or organisations.',
  definition: [
    'An enrolment counts on the day on which it was placed. “By staff” are those that staff placed for a buyer.',
    'Charged is what those enrolments cost by now: all their tax invoices less all their adjustment notes, GST included, whenever they were issued.',
  ],
  async read(db, actor, period) {
    demand(actor, 'reports:read');
    const { rows } = await sql<{ what: string; enrolments: number; charged: number }>`
      select what, sum(items) as enrolments, sum(cents) as charged
      from ${figuresOf(sources, period)} as figure group by what`.execute(db);
    const of = new Map(rows.map((row) => [row.what, row]));
    return {
      columns: [
        { head: 'Source', kind: 'text' },
        { head: 'Enrolments', kind: 'count' },
        { head: 'Charged, AU$', kind: 'money' },
      ],
      rows: sources.map((source) => {
        const { enrolments = 0, charged = 0 } = of.get(source) ?? {};
        return [sourceNames[source], enrolments, charged];
      }),
      charts: [],
      hasSum: true,
    };
  },
};

export const cancellations: Report = {
  slug: 'cancellations',
  title: 'Cancellations',
  about: 'Places that were cancelled, by whose choice.',
  definition: [
    'A place counts on the day on which it was cancelled. What went back because we cancelled or moved a date counts as the academy’s choice. Places that were moved to another date are not cancelled and are left out.',
  ],
  async read(db, actor, period) {
    demand(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ name: string; places: number }>`
      select kinds.name, count(places.id) as places
      from (values (1, 'buyer', 'The buyer'), (2, 'staff', 'Staff'), (3, 'session', 'The academy: it cancelled or moved a date'))
          as kinds(at, why, name)
        left join places on places.cancelled_why = kinds.why and cancelled_at >= ${from} and cancelled_at < ${end}
      group by kinds.at, kinds.name order by kinds.at`.execute(db);
    return {
      columns: [
        { head: 'Whose choice', kind: 'text' },
        { head: 'Places', kind: 'count' },
      ],
      rows: rows.map(({ name, places }) => [name, places]),
      charts: [],
      hasSum: true,
    };
  },
};
