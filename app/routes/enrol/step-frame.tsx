import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';
import { isAfter, type StepName, stepPath, steps } from '#app/features/enrolling/steps.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { HoldNotice } from './hold-notice.tsx';
import { PriceSummary } from './price-summary.tsx';

type Props = {
  summary: DraftSummary;
  step: StepName;
  title: string;
  lead: ReactNode;
  /** Of the form of the step: the notice of the seats and the link by e-mail belong to it. */
  formId: string;
  /** What became of asking for the private link. */
  linkState: string | null;
  children: ReactNode;
};

/** What stands around the form of every step: where one is, until when the seats are held, what it costs, the private link. */
export function StepFrame({ summary, step, title, lead, formId, linkState, children }: Props) {
  const { quote, hold } = summary;
  return (
    <>
      <PageHead title={title} lead={lead} />
      <div className="page grid gap-x-14 gap-y-10 py-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:py-12">
        <div className="min-w-0">
          <StepList summary={summary} step={step} />
          {quote && (
            <p className="tabular mb-6 lg:hidden">
              {summary.title}: <b>{formatMoney(quote.totalCents)}</b> incl. GST
            </p>
          )}
          {/* Enter in a field presses the first button of its form, which must not be one of those around it. */}
          <button
            type="submit"
            form={formId}
            name="intent"
            value="next"
            tabIndex={-1}
            aria-hidden="true"
            className="sr-only"
          >
            Continue
          </button>
          <HoldNotice hold={hold} formId={formId} />
          {children}
          <PrivateLink summary={summary} formId={formId} state={linkState} />
        </div>
        <aside aria-label="What you are enrolling in">
          <div className="lg:sticky lg:top-6">{quote && <PriceSummary {...summary} quote={quote} />}</div>
        </aside>
      </div>
    </>
  );
}

/** The steps in order; those that are complete, and the one after them, can be opened. */
function StepList({ summary, step }: { summary: DraftSummary; step: StepName }) {
  const at = steps.findIndex(({ name }) => name === step);
  return (
    <nav aria-label="Steps" className="no-print mb-6">
      <p className="mb-2 text-sm text-mute">
        Step {at + 1} of {steps.length}
      </p>
      <ol className="flex flex-wrap gap-x-4 gap-y-1">
        {steps.map(({ name, title }) => (
          <li key={name}>
            {name === step ? (
              <b aria-current="step" className="inline-block border-b-4 border-action py-1.5">
                {title}
              </b>
            ) : isAfter(name, summary.reached) ? (
              <span className="inline-block py-1.5 text-mute">{title}</span>
            ) : (
              <Link
                to={stepPath(summary.token, name)}
                className="inline-block py-1.5 text-link underline underline-offset-4"
              >
                {title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const linkStates: Record<string, string> = {
  sent: 'The link is on its way to that address. We send an address at most two such links an hour and five a day; if nothing arrives, copy the link above.',
  stored:
    'Our mail server does not answer at the moment. The e-mail is stored and goes out as soon as it answers. You can copy the link instead.',
  'no-address': 'That is no e-mail address such as name@example.com, so nothing was sent.',
};

/** The private link, shown and mailed only when one asks for it. */
function PrivateLink({ summary, formId, state }: { summary: DraftSummary; formId: string; state: string | null }) {
  return (
    <details open={state !== null} className="no-print group mt-10 rounded-card border border-line bg-card px-5 py-3">
      <summary className="flex min-h-11 items-center justify-between gap-4 font-bold">
        Finish later
        <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <div className="grid gap-4 pb-3">
        <p>
          This link opens what you filled in, for seven days after the last change. Whoever has it can read and change
          it, so keep it to yourself. Seats are held for a quarter of an hour only.
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
          {state !== null && linkStates[state]}
        </p>
      </div>
    </details>
  );
}

/** The buttons at the end of a step. Going back stores what was typed as well. */
export function StepButtons({ sending, next = 'Continue' }: { sending: boolean; next?: string }) {
  return (
    <div className="flex flex-wrap gap-3">
      <button type="submit" name="intent" value="next" disabled={sending} className={button.primary}>
        {sending ? 'Sending' : next}
      </button>
      <button type="submit" name="intent" value="back" formNoValidate disabled={sending} className={button.quiet}>
        Back
      </button>
    </div>
  );
}
