import { formatCount } from '#app/lib/money.ts';
import { Section } from '#app/ui/staff/heads.tsx';
import { leftOutWords } from './words.ts';

/** Somebody who gets no email, and the reason. */
export type LeftOutPerson = { who: string; why: string };

const mostOpen = 5;

/** The people who get no email, by reason. Empty when there are none. */
export function LeftOut({ people }: { people: readonly LeftOutPerson[] }) {
  if (people.length === 0) return null;
  const groups = [...Map.groupBy(people, ({ why }) => why)];
  return (
    <Section title={`${formatCount(people.length)} left out`}>
      {groups.map(([why, its]) => (
        <details key={why} className="border-b border-line" open={people.length <= mostOpen}>
          <summary className="min-h-9 cursor-pointer py-1.5">
            <b className="tabular font-semibold">{formatCount(its.length)}</b> {leftOutWords[why] ?? why}
          </summary>
          <ul className="pb-3 pl-4">
            {its.map(({ who }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: people without a name have no other identity here
              <li key={at} className="wrap-anywhere">
                {who}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}
