import type { Day } from '#app/lib/dates.ts';
import type { Texts } from './site.ts';

type Page = Texts['pages'][number];
export type PageVersion = { body: string; inForceFrom: Day; current: boolean };

/** The versions of a page whose text applies from a day, the current one first; none for other pages. */
export function versionsOf({ body, inForceFrom, earlier = [] }: Page): PageVersion[] {
  if (inForceFrom === undefined) return [];
  return [{ body, inForceFrom, current: true }, ...earlier.map((version) => ({ ...version, current: false }))];
}
