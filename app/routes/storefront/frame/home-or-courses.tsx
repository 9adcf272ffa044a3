import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';

/** The two ways on from the end of a page. */
export function HomeOrCourses() {
  return (
    <div className="no-print mt-8 flex flex-wrap gap-3">
      <Link to={href('/')} className={button.primary}>
        Return to Home
      </Link>
      <Link to={href('/courses')} className={button.quiet}>
        Browse courses
      </Link>
    </div>
  );
}
