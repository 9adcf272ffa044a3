import type { ReactNode } from 'react';
import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';
import { type StepName, stepBefore, steps } from '#app/features/enrolling/steps.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { CheckoutColumns } from './checkout-columns.tsx';
import { HoldNotice } from './hold-notice.tsx';
import { LaterLink } from './later-link.tsx';
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
 * What stands around the form of every step: the course, until when the seats are held, and the price with the button,
 * which is beside the form or, on a phone, at the bottom of the screen. The last step has its button in `sign`: on a
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

/** Beside one another fields stand on one line, whether they have a hint or not. */
const hintsBelow =
  '[&_div:has(>p[id$=-hint])]:flex [&_div:has(>p[id$=-hint])]:flex-col [&_p[id$=-hint]]:order-1 [&_p[id$=-hint]]:mt-1 [&_p[id$=-hint]]:mb-0';
const link = 'inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4';

function stepTitleBefore(step: StepName): string {
  const before = stepBefore(step);
  const title = steps.find(({ name }) => name === before)?.title ?? '';
  return before === 'choice' ? title.toLowerCase() : `“${title}”`;
}
