import type { ReactNode } from 'react';

type Props = {
  /** A name and a value a row; rows without a value are left out. */
  rows: readonly (readonly [name: string, value: ReactNode])[];
  className?: string;
};

/** Facts, one a row: name and value side by side where there is room. */
export function FactList({ rows, className = '' }: Props) {
  return (
    <dl className={`tabular grid grid-cols-1 gap-3 ${className}`}>
      {rows.map(
        ([name, value]) =>
          value && (
            <div
              key={name}
              className="grid grid-cols-1 gap-x-6 border-b border-line pb-3 last:border-0 last:pb-0 sm:grid-cols-[10rem_1fr]"
            >
              <dt className="text-mute">{name}</dt>
              <dd className="min-w-0 font-semibold whitespace-pre-line wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The same as a card. */
export function FactRows({ rows, className = '' }: Props) {
  return <FactList rows={rows} className={`rounded-card border border-line bg-card p-5 sm:p-7 ${className}`} />;
}
