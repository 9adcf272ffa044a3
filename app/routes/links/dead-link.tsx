import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';

/** The 404 of a private link: a person who opens an old email should know what happened, and whom to ask. */
export function DeadLink() {
  return (
    <PageHead
      title="This link does not open anything"
      lead="Part of the address may be missing, or we have deleted what it opened. Open the link from our latest email. If that does not help, write to us."
    >
      <Link to={href('/contact')} className={button.straw}>
        Contact Us
      </Link>
      <Link to={href('/courses')} className={button.onSatin}>
        Browse courses
      </Link>
    </PageHead>
  );
}
