import { href } from 'react-router';

type Of = {
  kind: string;
  id: number;
  /** Of what was published. */
  slug: string | null;
  revisions: number;
};

/** The pages of a record, the same on each of them; a course has prices and dates, on pages of their own. */
export function tabsOf({ kind, id, slug, revisions }: Of, shown: 'Text' | 'History') {
  const place = { kind, id: String(id) };
  const courses = kind === 'course' && slug !== null;
  return [
    { to: href('/staff/content/:kind/:id', place), text: 'Text', current: shown === 'Text' },
    ...(courses
      ? [
          { to: href('/staff/prices/:slug', { slug }), text: 'Prices', current: false },
          {
            to: `${href('/staff/course-dates')}?${new URLSearchParams({ course: slug })}`,
            text: 'Dates',
            current: false,
          },
        ]
      : []),
    {
      to: href('/staff/content/:kind/:id/history', place),
      text: 'History',
      current: shown === 'History',
      count: String(revisions),
    },
  ];
}
