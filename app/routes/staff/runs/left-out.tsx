import { formatCount } from '#app/lib/money.ts';
import { Section } from '#app/ui/staff/heads.tsx';

type Props = { count: number; what?: string; named: readonly { who: string; why: string }[] };

/** The people left out, with reasons; `count` may be larger than the number of names. Empty when there are none. */
export function LeftOut({ count, what = 'left out', named }: Props) {
  if (named.length === 0) return null;
  return (
    <Section title={`${formatCount(count)} ${what}`}>
      <ul>
        {named.map(({ who, why }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: people without a name have no other identity here
          <li key={at} className="border-b border-line py-1.5 wrap-anywhere">
            {who}: {why}
          </li>
        ))}
        {count > named.length && <li className="py-1.5">{`and ${formatCount(count - named.length)} more`}</li>}
      </ul>
    </Section>
  );
}
