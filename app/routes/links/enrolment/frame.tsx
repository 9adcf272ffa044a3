import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';

export const noFault: FormState = { values: {}, errors: {}, fault: null, heading: 'Nothing was changed', token: '' };

export const textLink = 'font-bold text-link underline underline-offset-4';

/** In place of a private page while the database is away (P37). */
export function Away() {
  return (
    <CheckoutHead
      title="We cannot look this up right now"
      lead="Our system is not available. The enrolment is saved and is not lost. Please reload this page in a few minutes."
    />
  );
}

/** A page under the buyer's link on which one thing is done. */
export function ActPage({
  title,
  lead,
  token,
  children,
}: {
  title: string;
  lead: ReactNode;
  token: string;
  children: ReactNode;
}) {
  return (
    <>
      <CheckoutHead title={title} lead={lead} />
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-8 pt-6 pb-10">
        <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-8">{children}</div>
        <p>
          <Link to={href('/enrolment/:token', { token })} className={textLink}>
            Back to the enrolment
          </Link>
        </p>
      </div>
    </>
  );
}

/** An act that cannot be taken back; never filled, so that it does not look like the main act of other pages. */
const danger = 'button min-h-11 border-2 border-fault bg-card px-5 py-2 text-fault hover:border-ink hover:text-ink';

/** The button that does it. The way back without doing it is below, on each page with an act. */
export function Confirm({
  label,
  busy,
  look = 'primary',
}: {
  label: string;
  busy: boolean;
  look?: 'primary' | 'danger';
}) {
  return (
    <div>
      <button type="submit" disabled={busy} className={look === 'danger' ? danger : button.primary}>
        {busy ? 'Sending' : label}
      </button>
    </div>
  );
}
