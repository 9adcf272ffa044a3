import { formatCount } from '#app/lib/money.ts';
import { Section } from '#app/ui/staff/page-head.tsx';
import { leftOutWords } from './words.ts';

/** Somebody who gets no email, and the reason. */
export type LeftOutPerson = { who: string; why: string };

const mostOpen = 5;

/** The people who get no email, by reason. Empty when there are none. */
export function LeftOut({ people }: { people: readonly LeftOutPerson[] }) {
  if (people.length === 0) return null;
  return (
    <Section title={`${formatCount(people.length)} left out`}>
      {[...new Set(people.map(({ why }) => why))].map((why) => (
        <OneReason
          key={why}
          why={why}
          of={people.filter((one) => one.why === why)}
          isOpen={people.length <= mostOpen}
        />
      ))}
    </Section>
  );
}

function OneReason({ why, of, isOpen }: { why: string; of: readonly LeftOutPerson[]; isOpen: boolean }) {
  return (
    <details className="border-b border-line" open={isOpen}>
      <summary className="min-h-9 cursor-pointer py-1.5">
        <b className="tabular font-semibold">{formatCount(of.length)}</b> {leftOutWords[why] ?? why}
      </summary>
      <ul className="pb-3 pl-4">
        {of.map(({ who }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: people without a name have no other identity here
          <li key={at} className="wrap-anywhere">
            {who}
          </li>
        ))}
      </ul>
    </details>
  );
}
