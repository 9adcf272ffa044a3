import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';

/** Shown with status 404 for an id that no course has or had (P4). */
export function CourseNotFound() {
  return (
    <section className="page py-20 lg:py-32">
      <h1 className="text-4xl lg:text-6xl">Course Not Found</h1>
      <p className="mt-4 max-w-prose text-lg text-mute">
        No course has this address now. We may have retired it, or the link may have a typo.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link to={href('/')} className={button.primary}>
          Back to Courses
        </Link>
        <Link to={href('/courses')} className={button.quiet}>
          Search all courses
        </Link>
      </div>
    </section>
  );
}
