/** A row of a `dl` in a narrow card: the label on the left, the value on the right. */
export function LabelledRow({ label, children }: { label: string; children: string }) {
  return (
    <div className="flex justify-between gap-4 border-b border-line pb-2">
      <dt className="text-mute">{label}</dt>
      <dd className="text-right font-bold">{children}</dd>
    </div>
  );
}
