import type { ChoiceRefund } from './refund-of-choice.server.ts';
import { RefundStraws } from './refund-straws.tsx';

/** The refunds of a cancellation by date, in dollars (P31). */
export function RefundOfChoice({ refund: { text, rows, remarks }, attendees }: Props) {
  return (
    <div className="tabular grid gap-4">
      {rows ? (
        <RefundStraws rows={rows} places={attendees} />
      ) : (
        <p>{attendees > 1 ? `For each person: ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</p>
      )}
      {remarks.map((remark) => (
        <p key={remark} className="max-w-prose">
          {remark}
        </p>
      ))}
    </div>
  );
}

type Props = { refund: ChoiceRefund; attendees: number };
