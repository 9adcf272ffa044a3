import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { CheckoutHead } from './checkout-head.tsx';

/** In place of a step whose draft cannot be shown. */
export function NoDraft({ state }: { state: 'gone' | 'away' }) {
  if (state === 'away') {
    return (
      <CheckoutHead
        title="We cannot look this up right now"
        lead="Our system is not available. What you filled in is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  return (
    <CheckoutHead
      title="This enrolment is no longer here"
      lead="We keep what you fill in for seven days after the last change, then delete it. A choice alone we keep for one day. If you have enrolled, the link in our email opens your enrolment."
    >
      <Link to={href('/enrol')} className={button.primary}>
        Begin again
      </Link>
    </CheckoutHead>
  );
}
