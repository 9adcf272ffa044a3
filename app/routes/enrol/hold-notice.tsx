import { useEffect, useState } from 'react';
import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';
import { button } from '#app/ui/button.ts';

/** The minutes left that are read out: seldom enough not to disturb. */
const announced = [5, 2, 1, 0];

/**
 * Until when the seats are held, and the button that extends it (WCAG 2.2, 2.2.1). It belongs to the form of the step,
 * so that what was typed is stored with it.
 */
export function HoldNotice({ hold, formId }: { hold: DraftSummary['hold']; formId: string }) {
  const left = useMinutesLeft(hold);
  if (hold.state === 'none') return null;
  const over = hold.state === 'over' || left === 0;
  const againText = hold.state === 'over' ? hold.againText : null;
  return (
    <section
      aria-label="Your seats"
      className="no-print mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line bg-card px-5 py-4"
    >
      <p className="min-w-0 grow basis-64">
        {againText !== null ? (
          <>
            <b>Your seats are not held.</b> Few seats are left on this date, and you or somebody on your network held
            seats on it before without enrolling. We can hold them again from <b>{againText}</b>, Brisbane time. You
            need not wait: go on, and if the seats are still free when you press the last button, they are yours.
          </>
        ) : over ? (
          <>
            <b>Your seats are no longer held.</b> What you typed and the price are kept; when you go on we hold them
            again if we can.
          </>
        ) : (
          <>
            <b>Your seats are held until {hold.state === 'held' && hold.untilText}</b>, Brisbane time
            {left !== null && left <= 60 && `: ${minutes(left)} left`}.
          </>
        )}
      </p>
      <p className="sr-only" role="status">
        {left !== null &&
          announced.includes(left) &&
          (left === 0 ? 'Your seats are no longer held.' : `${minutes(left)} left for your seats.`)}
      </p>
      {((over && againText === null) || (hold.state === 'held' && hold.extensionsLeft > 0)) && (
        <button type="submit" form={formId} name="intent" value="keep" formNoValidate className={button.quiet}>
          {over ? 'Hold them again' : 'Keep my seats'}
        </button>
      )}
    </section>
  );
}

const minutes = (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`;

/**
 * Whole minutes that seats are still held, 0 once it is over; null before scripts run and when nothing is held. Counted
 * from what the server said was left: the visitor's own clock may be wrong.
 */
function useMinutesLeft(hold: DraftSummary['hold']): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (hold.state !== 'held') {
      setLeft(null);
      return;
    }
    const endsAt = performance.now() + hold.leftMs;
    const read = () => setLeft(Math.max(0, Math.ceil((endsAt - performance.now()) / 60_000)));
    read();
    const timer = setInterval(read, 5000);
    return () => clearInterval(timer);
  }, [hold]);
  return left;
}
