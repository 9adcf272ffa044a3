import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { WishedCourse } from './rules.ts';

/** One course on a list of wishes, with what can be done about it; `course` is null once it is no longer offered. */
export function WishRow({
  title,
  course,
  children,
}: {
  title: string;
  course: WishedCourse | null;
  children?: ReactNode;
}) {
  return (
    <li className="flex min-w-0 flex-wrap items-start gap-x-5 gap-y-3 border-t border-line py-5">
      {course && (
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${course.slug}.svg` })}
          alt=""
          width={96}
          height={54}
          loading="lazy"
          className="aspect-video w-24 rounded-[10px] object-cover"
        />
      )}
      <div className="min-w-52 flex-1">
        <h2 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">
          {course ? (
            <Link
              to={href('/course/:courseId', { courseId: course.slug })}
              reloadDocument
              className="text-link underline underline-offset-4"
            >
              {title}
            </Link>
          ) : (
            title
          )}
        </h2>
        <p className="text-sm text-mute">{course ? course.when : 'We no longer offer this course.'}</p>
        {course && <p className="tabular text-sm">{course.price}</p>}
      </div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </li>
  );
}
