import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { DraftSummary } from '#app/features/enrolments/enrolling/draft-summary.ts';
import { type StepName, stepBefore, steps } from '#app/features/enrolments/enrolling/steps.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { CheckoutColumns } from './checkout-columns.tsx';
import { mainButton, PriceBar } from './price-bar.tsx';
import { type Due, Included, PriceSummary } from './price-summary.tsx';

type Props = {
  summary: DraftSummary;
  step: StepName;
  title: string;
  /** Of the form of the step: its button, the notice of the seats and the link by email belong to it. */
  formId: string;
  /** The result of asking for the private link. */
  linkState: string | null;
  /** The due day of the price; null when nothing is due. */
  due: Due | null;
  sending: boolean;
  /** The label of the button. */
  note?: string;
  /** In place of the price and Continue: the part in which one signs, `#sign`. The bar of a phone leads there. */
  sign?: ReactNode;
  children: ReactNode;
};

/**
 * The frame around the form of every step: the course, the time until which the seats are held, and the price with the
 * button, beside the form or, on a phone, at the bottom of the screen. The last step has its button in `sign`: on a
 * phone the bar ends where that begins, so nobody gets there past the terms.
 */
export function StepFrame({
  summary,
  step,
  title,
  formId,
  linkState,
  due,
  sending,
  note,
  sign = null,
  children,
}: Props) {
  const { quote, courses } = summary;
  const [first] = courses;
  const bar = (
    <PriceBar
      quote={quote}
      summary={quote && ((id) => <PriceSummary {...summary} quote={quote} due={due} id={id} />)}
      note={
        <>
          {note} <Included {...summary} />
        </>
      }
      barOnly={sign !== null}
      button={
        sign === null ? (
          <button
            type="submit"
            form={formId}
            name="intent"
            value="next"
            disabled={sending}
            aria-busy={sending}
            className={mainButton}
          >
            {sending ? 'Sending' : 'Continue'}
          </button>
        ) : (
          <a href="#sign" className={mainButton}>
            Code and enrol
          </a>
        )
      }
    />
  );
  return (
    <CheckoutColumns bar={sign ?? bar} foot={sign && bar}>
      <p className="mb-1 text-[0.9375rem] text-mute lg:hidden">
        <Unbroken
          text={courses.length === 1 && first?.lines[0] ? `${first.title}, ${first.lines[0]}` : (summary.title ?? '')}
        />
      </p>
      <h1 className="text-[1.75rem] outline-none lg:text-4xl" tabIndex={-1}>
        {title}
      </h1>
      {/* Enter in a field presses the first button of its form, which must not be one of those around it. */}
      <button
        type="submit"
        form={formId}
        name="intent"
        value={sign === null ? 'next' : 'place'}
        tabIndex={-1}
        aria-hidden="true"
        className="sr-only"
      >
        Continue
      </button>
      <HoldNotice hold={summary.hold} formId={formId} />
      <div className={`mt-6 ${hintsBelow}`}>{children}</div>
      <div className="no-print mt-8 flex flex-wrap items-start gap-x-8">
        <button
          type="submit"
          form={formId}
          name="intent"
          value="back"
          formNoValidate
          disabled={sending}
          className={link}
        >
          Back to {stepTitleBefore(step)}
        </button>
        <LaterLink summary={summary} formId={formId} state={linkState} />
      </div>
    </CheckoutColumns>
  );
}

/** Fields beside one another are aligned, with or without a hint. */
const hintsBelow =
  '[&_div:has(>p[id$=-hint])]:flex [&_div:has(>p[id$=-hint])]:flex-col [&_p[id$=-hint]]:order-1 [&_p[id$=-hint]]:mt-1 [&_p[id$=-hint]]:mb-0';
const link = 'inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4';

function stepTitleBefore(step: StepName): string {
  const before = stepBefore(step);
  const title = steps.find(({ name }) => name === before)?.title ?? '';
  return before === 'choice' ? title.toLowerCase() : `“${title}”`;
}

const states: Record<string, string> = {
  sent: 'The link is on its way to that address. If nothing arrives, copy the link above.',
  stored:
    'Our mail server does not answer at the moment. We saved the email and send it as soon as the server answers. You can copy the link instead.',
  'too-many':
    'We sent nothing, because such links were asked for often from your network. You can copy the link instead.',
  'no-address': 'Enter an email address such as name@example.com. Nothing was sent.',
};

/** The private link, shown and mailed only when one asks for it. `formId` is the step's form. */
function LaterLink({ summary, formId, state }: { summary: DraftSummary; formId: string; state: string | null }) {
  return (
    <details open={state !== null} className="min-w-0 grow open:basis-full">
      <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
        Finish later
      </summary>
      <div className="grid gap-4 pt-1 pb-3">
        <p className="max-w-prose">
          This link opens what you filled in, for seven days after the last change. Anyone with the link can read and
          change it, so keep it private. We hold seats for only 15 minutes.
        </p>
        <p className="rounded-control border border-line p-3 font-mono text-sm wrap-anywhere select-all">
          {summary.link}
        </p>
        <div>
          <label htmlFor="linkEmail" className="mb-1.5 block font-bold">
            Send it to <span className="font-normal text-mute">(optional)</span>
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id="linkEmail"
              name="linkEmail"
              type="email"
              form={formId}
              autoComplete="email"
              defaultValue={summary.email}
              className={`${field} max-w-sm`}
            />
            <button type="submit" form={formId} name="intent" value="link" formNoValidate className={button.quiet}>
              Send the link
            </button>
          </div>
        </div>
        <p role="status" className="font-semibold">
          {state !== null && states[state]}
        </p>
      </div>
    </details>
  );
}

/** The minutes left that are read out: seldom enough not to disturb. */
const announced = [5, 2, 1, 0];

/**
 * Until when the seats are held, and the button that extends it (WCAG 2.2, 2.2.1). It belongs to the form of the step,
 * so that what was typed is stored with it.
 */
function HoldNotice({ hold, formId }: { hold: DraftSummary['hold']; formId: string }) {
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
