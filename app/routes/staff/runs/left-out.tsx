import { Section } from '#app/ui/staff/heads.tsx';

/** The people left out, with reasons; `count` may be larger than the number of names. Empty when there are none. */
export function LeftOut({ count, named }: { count: number; named: readonly { who: string; why: string }[] }) {
  if (named.length === 0) return null;
  return (
    <Section title={`${count} left out`}>
      <ul>
        {named.map(({ who, why }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: people without a name have no other identity here
          <li key={at} className="border-b border-line py-1.5 wrap-anywhere">
            {who}: {why}
          </li>
        ))}
      </ul>
    </Section>
  );
}
