import { Link } from 'react-router';
import { formatCount } from '#app/lib/money.ts';

export type ShownCourse = {
  id: number;
  title: string;
  detail: string;
  page: string;
  /** The missing requirements of the certificate; null while there is no date. */
  asks: string | null;
  /** Null for a course that is no longer offered. */
  art: string | null;
  /** 0 to 99. */
  percent: number;
  /** Whether its first day is there, or a module is open. */
  begun: boolean;
  xp: number;
  courseXp: number;
};

/** A course under way, with its progress and XP (P43). */
export function CourseRow({
  course: { title, detail, asks, page, art, percent, begun, xp, courseXp },
}: {
  course: ShownCourse;
}) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-t border-line py-5 sm:items-center sm:gap-x-6">
      {art && (
        <img
          src={art}
          alt=""
          width={128}
          height={72}
          loading="lazy"
          className="h-11 w-20 rounded-control object-cover sm:h-18 sm:w-32"
        />
      )}
      <div className="min-w-0 flex-1 basis-44">
        <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">
          <Link to={page} className="text-link underline underline-offset-4">
            {title}
          </Link>
        </h3>
        <p className="text-sm text-mute">{detail}</p>
        {asks && <p className="tabular text-sm text-mute">{asks}</p>}
      </div>
      <div className="tabular w-full sm:w-56 lg:w-80">
        <p className="flex justify-between gap-4 text-sm">
          <span>
            <b>{percent}%</b> {percent === 0 && !begun ? 'not started' : 'done'}
          </span>
          <span>
            <b className="text-xp">{formatCount(xp)}</b> of {formatCount(courseXp)} XP
          </span>
        </p>
        <progress value={percent} max={100} aria-label={`Progress in ${title}`} className="xp-bar mt-1.5 w-full" />
      </div>
    </li>
  );
}
