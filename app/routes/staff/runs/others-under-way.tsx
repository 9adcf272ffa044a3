import { href } from 'react-router';
import type { RunUnderWay } from '#app/features/runs/queries.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { TextLink } from '#app/ui/staff/parts.tsx';

/** A run of somebody's that will do the same for some of those whom a page shows, in words. */
export type Other = { id: string; words: string };

/** `3 of these are in an act of Helen Marsh that begins on 26 Nov, 12:47 PM`. */
export const otherInWords = ({ id, by, dueAt, count }: RunUnderWay): Other => ({
  id: String(id),
  words: `${formatCount(count)} of these ${count === 1 ? 'is' : 'are'} in an act of ${by ?? 'somebody who left'} that begins on ${formatMoment(dueAt)}`,
});

/** Says that colleagues, or the same person, asked already for what the page is about to do. Empty when nobody did. */
export function OthersUnderWay({ others }: { others: readonly Other[] }) {
  if (others.length === 0) return null;
  return (
    <ul>
      {others.map(({ id, words }) => (
        <li key={id} className="font-semibold">
          {words}. <TextLink to={href('/staff/runs/:id', { id })}>Look at it</TextLink>
        </li>
      ))}
    </ul>
  );
}
