import { formatCount } from '#app/lib/money.ts';
import { Section } from '#app/ui/staff/heads.tsx';
import { enrolmentsInWords } from './act-words.ts';

/** Enrolments for one reason; `count` may be larger than the number of those named. */
type Reason = { why: string; count: number; who: readonly { name: string; reference: string }[] };

/** The enrolments for which it is done although the letter about it may not arrive. */
export function Untold({ count, who }: Omit<Reason, 'why'>) {
  return (
    <Section title={`${enrolmentsInWords(count)} whose buyer may not get it in writing`}>
      <Named why="our last email to them did not arrive" count={count} who={who} />
    </Section>
  );
}

/** The enrolments that are left out, by reason. */
export function LeftOut({ leftOut }: { leftOut: readonly Reason[] }) {
  return (
    <Section title={`${enrolmentsInWords(leftOut.reduce((sum, { count }) => sum + count, 0))} left out`}>
      {leftOut.map((one) => (
        <Named key={one.why} {...one} />
      ))}
    </Section>
  );
}

function Named({ why, count, who }: Reason) {
  return (
    <details className="border-b border-line">
      <summary className="min-h-9 cursor-pointer py-1.5">
        <b className="tabular font-semibold">{formatCount(count)}</b> {why}
      </summary>
      <ul className="pb-3 pl-4">
        {who.map(({ name, reference }) => (
          <li key={reference} className="wrap-anywhere">
            {name}, {reference}
          </li>
        ))}
        {count > who.length && <li>{`and ${formatCount(count - who.length)} more`}</li>}
      </ul>
    </details>
  );
}
