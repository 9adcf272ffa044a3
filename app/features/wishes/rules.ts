/** Courses that one account, or one device, keeps as wishes at most (P57). */
export const mostWishes = 200;

/** How many courses a device asks about in one request at most: the address has their slugs. */
export const mostAsked = 40;

/** The wording that a player agrees to when asking for emails about a course; stored with the time (P49). */
export const mailWording = 'Email me when it gets a date.';

/** A course on a list of wishes, ready to show. */
export type WishedCourse = {
  slug: string;
  title: string;
  /** `AU$2,299 incl. GST`. */
  price: string;
  /** Its next date that takes enrolments, `15 to 19 September 2025, Sydney`, or another way to take it. */
  when: string;
};

/** The answer of `/api/player`. */
export type PlayerAnswer = {
  name: string | null;
  initial: string;
  wishes: string[];
  /** By slug, of courses that are under way or finished. */
  progress: Record<string, { percent: number; xp: number; courseXp: number; finished: boolean }>;
};
