import { href, Link, useLocation } from 'react-router';
import { formatMoney } from '#app/lib/money.ts';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { stateOfCourseLink } from './back-to-list.ts';
import type { CourseCard } from './catalogue.ts';

/** Courses as lines of a list: level, title, hours and price. */
export function CourseLinks({ courses }: { courses: CourseCard[] }) {
  return (
    <ul className="grid">
      {courses.map((course) => (
        <li key={course.slug} className="flex gap-3 border-b border-line py-3">
          <span className="pt-1">
            <Medal tier={course.tier} />
          </span>
          <div className="min-w-0">
            <CourseLink course={course} />
            <p className="tabular text-sm text-mute">
              {course.level} · {course.hours} hours · {formatMoney(course.priceCents)} incl. GST
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** `inText` underlines it, as links inside sentences are. */
export function CourseLink({ course, inText }: { course: Pick<CourseCard, 'slug' | 'title'>; inText?: boolean }) {
  const { state } = useLocation();
  return (
    <Link
      to={href('/course/:courseId', { courseId: course.slug })}
      state={stateOfCourseLink(state)}
      prefetch="intent"
      className={`font-bold text-link underline-offset-4 ${inText ? 'underline' : 'hover:underline'}`}
    >
      <Unbroken text={course.title} />
    </Link>
  );
}
