import { href, Link } from 'react-router';
import type { CourseCard, QuestLine } from '#app/features/catalogue/catalogue.ts';
import { CourseLink } from '#app/features/catalogue/course-links.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { isIconName } from '#app/ui/icons.ts';

type Stop = Pick<CourseCard, 'slug' | 'title' | 'icon'>;

/** A quest line as a certification's page shows it. */
export type PathOfCertification = Pick<QuestLine, 'slug' | 'title'> & { stops: Stop[] };

/** A quest line from end to end, with the course `here`, that prepares for the certification, marked on it. */
export function CertificationPath({ path, here }: { path: PathOfCertification; here: string }) {
  const { slug, title, stops } = path;
  return (
    <div className="mt-7">
      <h3 className="text-xl">
        <Link
          to={href('/quest-lines/:questLineId', { questLineId: slug })}
          prefetch="intent"
          className="text-link underline-offset-4 hover:underline"
        >
          {title}
        </Link>
      </h3>
      <ol className="mt-5 grid lg:auto-cols-fr lg:grid-flow-col">
        {stops.map((stop, at) => (
          <li key={stop.slug} className="relative flex gap-4 pb-5 last:pb-0 lg:flex-col lg:gap-3 lg:pr-5 lg:pb-0">
            {at < stops.length - 1 && <Stretch />}
            <span
              className={`relative flex size-14 shrink-0 items-center justify-center rounded-full bg-card ${stop.slug === here ? 'border-4 border-action' : 'border-2 border-straw'}`}
            >
              <Icon name={isIconName(stop.icon) ? stop.icon : 'gem'} className="size-8 text-link" />
            </span>
            <div className="min-w-0 max-lg:pt-1">
              <p className="tabular text-sm text-mute">Step {at + 1}</p>
              <CourseLink course={stop} />
              {stop.slug === here && <p className="mt-1 text-sm font-bold">Prepares for this exam</p>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The straw between one stop and the next: downwards on narrow screens, to the right on wide ones. */
function Stretch() {
  return (
    <>
      <span className="absolute top-14 bottom-0 left-6.5 border-l-4 border-straw lg:hidden" />
      <svg
        aria-hidden="true"
        viewBox="0 0 100 20"
        preserveAspectRatio="none"
        className="absolute top-4.5 right-0 left-14 hidden h-5 w-[calc(100%-3.5rem)] lg:block"
      >
        <path
          d="M0 10C25-4 60 24 100 10"
          fill="none"
          className="stroke-straw"
          strokeWidth="5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d="M0 12C30 2 66 18 100 8"
          fill="none"
          className="stroke-edge"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </>
  );
}
