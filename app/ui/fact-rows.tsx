type Props = {
  /** A name and a value a row; rows without a value are left out. */
  rows: readonly (readonly [name: string, value: string | null | undefined | false])[];
};

/** Facts as a card of rows: name and value side by side where there is room. */
export function FactRows({ rows }: Props) {
  return (
    <dl className="tabular grid max-w-2xl gap-3 rounded-card border border-line bg-card p-5 sm:p-6">
      {rows.map(
        ([name, value]) =>
          value && (
            <div
              key={name}
              className="grid gap-x-6 border-b border-line pb-3 last:border-0 last:pb-0 sm:grid-cols-[10rem_1fr]"
            >
              <dt className="text-mute">{name}</dt>
              <dd className="font-semibold whitespace-pre-line wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
