import { type Day, formatDay } from '#app/lib/dates.ts';
import type { RecordFault } from './check-record.ts';
import { withFacts } from './placeholders.ts';
import type { RecordKind, RecordValue } from './records.ts';
import type { CrossFault, ReadableContent } from './schema.ts';

/** Pages that people agree to or rely on: it must be plain which text applied on a day. */
export const versionedPages: readonly string[] = ['terms', 'privacy'];

type Change = { kind: RecordKind; before: RecordValue | undefined; after: RecordValue };

/** Whether a change is one of a text that people agreed to or rely on. */
const isOfLegalText = ({ kind, before, after }: Change): boolean =>
  kind === 'page' && versionedPages.includes(String(after.slug)) && before !== undefined;

/** Whether a change replaces such a text. */
const replacesText = (change: Change): boolean => isOfLegalText(change) && change.before?.body !== change.after.body;

/**
 * The fault of the day of terms or privacy: each text needs a later day than the one before, and keeps it (P28). A text
 * under another day would have no address at which those who agreed to it read it. Nor is it in force before `today`, the
 * day on which it is published: whoever enrolled before then agreed to the text that it replaces.
 */
export function legalTextFaults(change: Change, today: Day): RecordFault[] {
  const { before, after } = change;
  if (!isOfLegalText(change)) return [];
  const [old, fresh] = [String(before?.inForceFrom ?? ''), String(after.inForceFrom ?? '')];
  if (!replacesText(change)) {
    if (fresh === old || old === '') return [];
    return [{ path: ['inForceFrom'], message: `must stay ${formatDay(old)} as long as the text is the same` }];
  }
  const message =
    fresh <= old
      ? `must be a later day than ${formatDay(old)}: people agreed to the text of that day`
      : `must be ${formatDay(today)} or later: before it is published nobody can read this text`;
  return fresh > old && fresh >= today ? [] : [{ path: ['inForceFrom'], message }];
}

/** A text that is published before its day is read and agreed to at once, whatever day it names. */
export function legalTextShortcomings(change: Change, today: Day): RecordFault[] {
  const day = String(change.after.inForceFrom ?? '');
  if (!replacesText(change) || day <= today) return [];
  const message = `is still ahead, and people agree to the text from the moment it is published. Schedule it for ${formatDay(day)}`;
  return [{ path: ['inForceFrom'], message }];
}

/** The value with the text that it replaces among its earlier ones, facts of the site written out (P28). */
export function withEarlierText(change: Change, { site, today }: { site: object; today: Day }): RecordValue {
  const { before, after } = change;
  if (!replacesText(change) || legalTextFaults(change, today).length > 0) return after;
  const earlier = Array.isArray(after.earlier) ? after.earlier : [];
  const replaced = { inForceFrom: before?.inForceFrom, body: withFacts(String(before?.body), site) };
  return { ...after, earlier: [replaced, ...earlier] };
}

/** Faults of the versions of pages: a missing day, and earlier texts that do not go back in time. */
export function pageVersionFaults({ pages = [] }: ReadableContent): CrossFault[] {
  return pages.flatMap(({ slug, inForceFrom, earlier = [] }, at): CrossFault[] => {
    const fault = (path: PropertyKey[], message: string): CrossFault => ({
      file: { name: 'pages' },
      path: [at, ...path],
      message,
    });
    if (inForceFrom === undefined) {
      const needed = versionedPages.includes(slug) || earlier.length > 0;
      return needed ? [fault(['inForceFrom'], 'is missing: people must be able to see which text applies')] : [];
    }
    const days = [inForceFrom, ...earlier.map((version) => version.inForceFrom)];
    return days.slice(1).flatMap((day, before) => {
      if (day < (days[before] ?? '')) return [];
      return [fault(['earlier', before, 'inForceFrom'], 'does not lie before the version above it')];
    });
  });
}
