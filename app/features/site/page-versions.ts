import type { Day } from '#app/lib/dates.ts';
import type { Texts } from './site.ts';

type Page = Texts['pages'][number];
export type PageVersion = { body: string; inForceFrom: Day; current: boolean };

/** The versions of a page whose text applies from a day, the current one first; none for other pages. */
export function versionsOf({ body, inForceFrom, earlier = [] }: Page): PageVersion[] {
  if (inForceFrom === undefined) return [];
  return [{ body, inForceFrom, current: true }, ...earlier.map((version) => ({ ...version, current: false }))];
}

// Content imported before pages carried their day said this day in its text.
const firstTerms = '2026-11-21';

/** The day of the version of /terms that somebody accepts now: an enrolment stores it (P28). */
export function currentTermsVersion({ texts }: { texts: Pick<Texts, 'pages'> }): Day {
  return texts.pages.find(({ slug }) => slug === 'terms')?.inForceFrom ?? firstTerms;
}
