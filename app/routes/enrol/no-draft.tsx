import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { CheckoutHead } from './checkout-head.tsx';

/** In place of a step whose draft cannot be shown. */
export function NoDraft({ state }: { state: 'gone' | 'away' }) {
  if (state === 'away') {
    return (
      <CheckoutHead
        title="We cannot look this up right now"
        lead="Our database is away. What you filled in is stored and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  return (
    <CheckoutHead
      title="This enrolment is not here any more"
      lead="What is filled in is kept for seven days after the last change, then erased; a choice alone is kept for one day. If you have enrolled, the link in our e-mail leads to your enrolment."
    >
      <Link to={href('/enrol')} className={button.primary}>
        Begin again
      </Link>
    </CheckoutHead>
  );
}
