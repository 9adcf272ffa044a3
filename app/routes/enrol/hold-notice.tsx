import { useEffect, useState } from 'react';
import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';

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
  const urgent = !over && left !== null && left < 3;
  const againText = hold.state === 'over' ? hold.againText : null;
  return (
    <section aria-label="Your seats" className={`no-print mt-2 ${urgent ? 'font-bold' : ''}`}>
      <p>
        {againText !== null ? (
          <>
            <b>Your seats are not held.</b> Few seats are left on this date, and you or somebody on your network held
            seats on it before without enrolling. We can hold them again from <b>{againText}</b>, Brisbane time. You
            don’t have to wait: continue, and if the seats are still free when you press the last button, they are
            yours.
          </>
        ) : over ? (
          <>
            <b>Your seats are no longer held.</b> What you typed and the price are kept; when you go on we hold them
            again if we can.
          </>
        ) : (
          <>
            We hold your seats until <b>{hold.state === 'held' && hold.untilText}</b>, Brisbane time
            {left !== null && left <= 60 && `: ${minutes(left)} left`}.
          </>
        )}{' '}
        {((over && againText === null) || (hold.state === 'held' && hold.extensionsLeft > 0)) && (
          <button
            type="submit"
            form={formId}
            name="intent"
            value="keep"
            formNoValidate
            className="min-h-6 font-bold text-link underline underline-offset-4"
          >
            {over ? 'Hold them again' : 'Hold them longer'}
          </button>
        )}
      </p>
      <p className="sr-only" role="status">
        {left !== null &&
          announced.includes(left) &&
          (left === 0 ? 'Your seats are no longer held.' : `${minutes(left)} left for your seats.`)}
      </p>
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
