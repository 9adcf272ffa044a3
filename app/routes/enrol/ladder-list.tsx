import { keepingRule } from '#app/features/money/keeping-rule.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Ladder } from './ladders.server.ts';
import { RefundStraws } from './refund-straws.tsx';

/** The refunds of a cancellation by date, in dollars (P31). */
export function LadderList({ ladders, attendees }: { ladders: Ladder[]; attendees: number }) {
  return (
    <div className="grid gap-4">
      <ul className="tabular grid gap-4">
        {ladders.map(({ title, text, rows, standing, own }) => (
          <li key={title}>
            {ladders.length > 1 && (
              <b className="block">
                <Unbroken text={title} />
              </b>
            )}
            {rows ? (
              <div className="mt-1 mb-3">
                <RefundStraws rows={rows} places={attendees} />
              </div>
            ) : (
              `${attendees > 1 ? 'For each person: ' : ''}${attendees > 1 ? text : text.charAt(0).toUpperCase() + text.slice(1)}.`
            )}
            {standing === 'tentative' && ' Until the date is confirmed, cancelling is free and nothing is due.'}
            {standing === 'confirmed-by-it' &&
              ' With your enrolment enough people have enrolled, so we confirm the date at once.'}
            {own && (
              <span className="block text-mute">
                On its own it costs {own.price}, {own.more} more than in the combo.
              </span>
            )}
          </li>
        ))}
      </ul>
      {ladders.some(({ own }) => own !== null) && <p>{keepingRule}</p>}
    </div>
  );
}
