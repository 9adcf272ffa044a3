import { href, Link } from 'react-router';
import type { Certification } from '#app/features/catalogue/catalogue.ts';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { LabelledRow } from '#app/ui/labelled-row.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

type Props = {
  certification: Certification;
  /** Whether the exam is no longer offered. */
  over: boolean;
  instructor: { slug: string; name: string } | null;
};

/** The course that prepares for the exam: its drawing, who teaches it and what it costs. */
export function CourseForIt({ certification, over, instructor }: Props) {
  const { course } = certification;
  return (
    <aside
      aria-label="The course for it"
      className="self-start overflow-hidden rounded-card border border-line bg-card lg:sticky lg:top-6"
    >
      <img
        src={href('/art/:kind/:file', { kind: 'course', file: `${course.slug}.svg` })}
        alt=""
        width={400}
        height={225}
        className="no-print aspect-video w-full object-cover"
      />
      <div className="p-6">
        <p className="text-sm text-mute">The course that prepares for it</p>
        <p className="mt-1 font-display text-xl leading-tight font-bold">
          <Unbroken text={course.title} />
        </p>
        {instructor && (
          <p className="mt-4 flex items-center gap-3">
            <Portrait slug={instructor.slug} className="size-12" />
            <span>
              <span className="block text-sm text-mute">Taught by</span>
              <b>{instructor.name}</b>
            </span>
          </p>
        )}
        <dl className="tabular mt-5 grid gap-2">
          <LabelledRow label="Price">{`${formatMoney(course.priceCents)} incl. GST`}</LabelledRow>
          <LabelledRow label="Duration">{`${course.hours} hours`}</LabelledRow>
          <LabelledRow label="Level">{course.level}</LabelledRow>
          <LabelledRow label={over ? 'Pass rate while it was offered' : 'Pass rate'}>
            {`${certification.passRate}%`}
          </LabelledRow>
        </dl>
        {certification.passRateSource && (
          <p className="mt-3 text-sm text-mute">Source of the pass rate: {certification.passRateSource}.</p>
        )}
        <Link
          to={href('/course/:courseId', { courseId: course.slug })}
          className={`${button.primary} no-print mt-6 w-full`}
        >
          Start Training
        </Link>
        <Link to={href('/certifications')} className={`${button.quiet} no-print mt-3 w-full`}>
          All certifications
        </Link>
      </div>
    </aside>
  );
}
