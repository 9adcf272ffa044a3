import { href, Link } from 'react-router';
import { CourseLinks } from './course-links.tsx';
import type { CoursePathsOf } from './paths.ts';

/** The courses before and after a course, and the quest lines that have it as a step. */
export function CoursePaths({ paths }: { paths: CoursePathsOf }) {
  const { needs, leadsTo, questLines } = paths;
  return (
    <>
      <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        <div>
          <h3 className="text-[1.375rem]">Useful before</h3>
          {needs.length > 0 ? (
            <>
              <p className="mt-2 text-mute">
                It helps to know what these courses teach. You can learn it here or elsewhere.
              </p>
              <CourseLinks courses={needs} />
            </>
          ) : (
            <p className="mt-2 text-mute">No other course; see the prerequisites above.</p>
          )}
        </div>
        <div>
          <h3 className="text-[1.375rem]">Leads to</h3>
          {leadsTo.length > 0 ? (
            <CourseLinks courses={leadsTo} />
          ) : (
            <p className="mt-2 text-mute">This is the last course on this path. Practice comes next.</p>
          )}
        </div>
      </div>
      {questLines.length > 0 && (
        <ul className="mt-6 grid gap-1.5">
          {questLines.map(({ slug, title, step, steps }) => (
            <li key={slug}>
              Step {step} of {steps} in the quest line{' '}
              <Link
                to={href('/quest-lines/:questLineId', { questLineId: slug })}
                prefetch="intent"
                className="font-bold text-link underline underline-offset-4"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
