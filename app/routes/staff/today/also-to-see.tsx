import { Link } from 'react-router';
import { Section } from '#app/ui/staff/page-head.tsx';

/** Tasks that are counted as a whole: number, name and advice. Empty while there are none. */
export function AlsoToSee({ also }: { also: readonly { count: string; what: string; why: string; to: string }[] }) {
  if (also.length === 0) return null;
  return (
    <Section title="Also to see">
      <ul>
        {also.map(({ count, what, why, to }) => (
          <li
            key={what}
            className="relative grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-3 border-b border-line py-2 last:border-b-0 hover:bg-hover"
          >
            <span className="tabular text-right font-semibold">{count}</span>
            <p>
              <Link to={to} className="font-semibold underline-offset-3 after:absolute after:inset-0 hover:underline">
                {what}
              </Link>{' '}
              <span className="text-sm text-mute">{why}</span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
