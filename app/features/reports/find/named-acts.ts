import { href } from 'react-router';
import type { Permission } from '#app/features/people/permissions.ts';
import type { Found } from './found.ts';

/** A course as it is found. A draft was never published. */
export type FoundCourse = { row: Found; slug: string; stands: 'offered' | 'draft' | 'retired' };

/** A course date as it is found. */
export type FoundDate = {
  row: Found;
  id: number;
  slug: string;
  courseSlug: string;
  /** `ahead` before its first day. */
  stands: 'ahead' | 'running' | 'done' | 'cancelled';
  sold: number;
};

type Act = { verbs: readonly string[]; needs: Permission } & (
  | { of: 'course'; text: (title: string) => string; to: (course: FoundCourse) => string }
  | {
      of: 'date';
      text: (title: string) => string;
      to: (date: FoundDate) => string;
      fits: (date: FoundDate) => boolean;
    }
);

/** The acts that can be typed together with a course or a course date, in the words of their pages. */
const acts: readonly Act[] = [
  {
    verbs: ['price', 'prices'],
    needs: 'prices:read',
    of: 'course',
    text: (title) => `Prices of ${title}`,
    to: ({ slug }) => href('/staff/prices/:slug', { slug }),
  },
  {
    verbs: ['move', 'change'],
    needs: 'course-dates:change',
    of: 'date',
    text: (title) => `Change ${title}`,
    to: ({ slug }) => href('/staff/course-dates/:slug/move', { slug }),
    fits: ({ stands }) => stands === 'ahead',
  },
  {
    verbs: ['cancel'],
    needs: 'course-dates:change',
    of: 'date',
    text: (title) => `Cancel ${title}`,
    to: ({ slug }) => href('/staff/course-dates/:slug/:change', { slug, change: 'cancel' }),
    fits: ({ stands }) => stands === 'ahead' || stands === 'running',
  },
  {
    verbs: ['write'],
    needs: 'mail:send',
    of: 'date',
    text: (title) => `Write to ${title}`,
    to: ({ slug }) => `${href('/staff/bulk-actions/message/:list', { list: 'course-dates' })}?row=${slug}`,
    fits: ({ sold, stands }) => sold > 0 && stands !== 'cancelled',
  },
  {
    verbs: ['enrol'],
    needs: 'enrolments:change',
    of: 'date',
    text: (title) => `Enrol in ${title}`,
    to: ({ id, courseSlug }) => `${href('/staff/enrolments/new')}?item=course:${courseSlug}&way=course-date:${id}`,
    fits: ({ stands }) => stands === 'ahead',
  },
];

const small = new Set(['of', 'to', 'in', 'for', 'on', 'at', 'the']);

/**
 * The permitted act at the beginning of a search, such as `move`, and the words for its subject; null without an act.
 */
export function namedAct(may: { has(permission: Permission): boolean }, words: readonly string[]) {
  const [verb = '', ...others] = words;
  const act = acts.find(({ verbs, needs }) => verbs.includes(verb) && may.has(needs));
  const of = others.filter((word) => !small.has(word));
  return act && of.length > 0 ? { act, words: of } : null;
}

/** The pages of an act for the courses and course dates that its words found. */
export function pagesOf(act: Act, courses: readonly FoundCourse[], dates: readonly FoundDate[]): Found[] {
  const page = ({ text, line, end }: Found, to: string) => ({ to, text: act.text(text), line, end });
  return act.of === 'course'
    ? courses.filter(({ stands }) => stands === 'offered').map((course) => page(course.row, act.to(course)))
    : dates.filter(act.fits).map((date) => page(date.row, act.to(date)));
}
