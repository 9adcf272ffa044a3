import type { Claim } from './claims.ts';

/** Figures of the register in a row, with their source: nobody should have to take them on trust (P6). */
export function Figures({ claims }: { claims: Claim[] }) {
  return (
    <div>
      <dl className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {claims.map(({ value, wording }) => (
          <div key={wording} className="flex flex-col-reverse border-l-4 border-straw pl-4">
            <dt className="text-mute">{wording}</dt>
            <dd className="tabular font-display text-4xl font-bold tracking-tight">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 text-sm text-mute">Source: {[...new Set(claims.map(({ source }) => source))].join('; ')}.</p>
    </div>
  );
}
