import { href } from 'react-router';
import { detailsInWords } from '#app/audit/details-in-words.ts';
import type { TimelineRows } from '#app/features/inbox/enrolment-timeline.server.ts';
import type { Dated } from './dated.ts';

const did: Readonly<Record<string, string>> = {
  'confirm-course-date': 'confirmed ',
  'move-course-date': 'changed ',
  'cancel-course-date': 'cancelled ',
};

/** What staff did to the course dates of an enrolment, with a link to the date, whose page has the rest. */
export function ofDates({ dates }: TimelineRows): Dated[] {
  return dates.map(({ id, by, at, action, details, slug }) => {
    const more = action === 'move-course-date' ? detailsInWords(details) : '';
    const date = { text: 'the course date', to: href('/staff/course-dates/:slug', { slug }) };
    const words = [did[action] ?? '', date, ...(more ? [`: ${more}`] : [])];
    return { key: `date-act-${id}`, ...(by === null ? program : { who: 'staff' as const, by }), at, words };
  });
}

const program = { who: 'program', by: 'Program' } as const;
