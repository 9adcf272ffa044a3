import { Link } from 'react-router';
import { TextLink } from '#app/ui/staff/typography.tsx';

/** The list from which an enrolment was opened, and its neighbours there; null without a list. */
export type WalkTo = { list: { to: string; text: string }; previous: string | null; next: string | null };

/** Leads along the list that one came from. */
export function Walk({ walk: { list, previous, next } }: { walk: WalkTo }) {
  return (
    <nav aria-label="The list" className="mb-2 flex flex-wrap items-center gap-x-4 text-sm print:hidden">
      <TextLink to={list.to}>{list.text}</TextLink>
      {previous && (
        <Link to={previous} rel="prev" className={look}>
          Previous
        </Link>
      )}
      {next && (
        <Link to={next} rel="next" className={look}>
          Next
        </Link>
      )}
    </nav>
  );
}

const look = 'font-medium underline decoration-edge underline-offset-3 hover:text-link';
