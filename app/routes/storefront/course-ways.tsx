import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import type { Ways } from '#app/features/catalogue/ways.ts';
import { EnrolLink, Instead, SeatsAndDecision } from '#app/features/course-dates/course-date-state.tsx';
import type { CourseDateView } from '#app/features/course-dates/course-date-view.ts';
import { useLiveSeats } from '#app/features/course-dates/live-seats.tsx';
import { OwnTime, OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { formatCourseDateHours } from '#app/features/course-dates/rules.ts';
import { daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';

type Modules = { all: number; written: number };

type Props = {
  ways: Ways;
  course: CourseCard;
  /** The weekly live hours that staff set, in words; none is promised without one (P60). */
  liveHours: readonly string[];
  /** The number of modules, and how many of them have a text (P105). */
  modules: Modules;
  courseDates: readonly CourseDateView[];
};

/** The ways to take a course now, each with a description and how to enrol (P18, P38). */
export function CourseWays({ ways, course, liveHours, modules, courseDates }: Props) {
  const enrol = `${href('/enrol')}?course=${course.slug}`;
  return (
    <section id="dates">
      <h2 className="text-[1.75rem] sm:text-3xl">How you can take it</h2>
      <div className="mt-4 grid gap-7">
        {courseDates.length > 0 && (
          <Way title="On a date">
            <p className="mt-2 max-w-prose">Live with the instructor and the others who enrolled, on set days.</p>
            <CourseDates courseDates={courseDates} />
          </Way>
        )}
        {ways.guided && (
          <Way title="Guided">
            <p className="mt-2 max-w-prose">
              You start on a Monday of your choice and study in your own time, with help, for up to 12 months. Price and
              certificate are the same as on a date.
            </p>
            <details className="group">
              <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
                How guided study works
              </summary>
              <ul className="grid list-disc gap-1.5 pb-2 pl-5 marker:text-edge">
                {guidedFacts(liveHours, modules).map((fact) => (
                  <li key={fact} className="max-w-prose pl-1">
                    {fact}
                  </li>
                ))}
              </ul>
            </details>
            <Link to={enrol} className={`${button.quiet} no-print mt-2`}>
              Choose your Monday
            </Link>
          </Way>
        )}
        {ways.agreement && (
          <Way title="By agreement">
            <p className="mt-2 max-w-prose">
              A job guarantee programme begins with a written agreement, which says what counts as a relevant role. Send
              a request: we answer within one business day with the agreement and the next start. You owe nothing before
              you have read and accepted it.
            </p>
            <Link to={enrol} className={`${button.quiet} no-print mt-4`}>
              Request the agreement
            </Link>
          </Way>
        )}
        <Way title={courseDates.length > 0 ? 'On another date' : 'On the next date'}>
          <p className="mt-2 max-w-prose">
            {noDate(ways, courseDates.length > 0)} Tell us which weeks and which place would suit you, free and with no
            obligation. People on the list are offered the seats of a new date first; we keep each offer for 72 hours.
          </p>
          <p className="no-print mt-4 flex flex-wrap gap-3">
            <Link to={`${href('/waiting-list')}?course=${course.slug}`} className={button.quiet}>
              Tell me about dates
            </Link>
            <Link
              to={`${href('/contact')}?interest=corporate-training&about=course:${course.slug}`}
              className={button.quiet}
            >
              Request Custom Training
            </Link>
          </p>
        </Way>
      </div>
    </section>
  );
}

/** Why one would wait for another date; `shown` are dates that are full, closed or cancelled at least. */
function noDate({ onDates }: Ways, shown: boolean): string {
  if (onDates) return 'No date that suits you?';
  return shown
    ? 'No date of this course has a free seat at the moment.'
    : 'No date is set for this course at the moment.';
}

/** The next date with a free seat, or how one can begin without one; for the price card. */
export function NextDate({ ways, courseDates }: Pick<Props, 'ways' | 'courseDates'>) {
  const open = courseDates.find(({ standing }) => standing === 'open');
  if (open) return <OpenDate courseDate={open} />;
  if (!ways.guided) return null;
  return (
    <p className="mt-4 leading-snug">
      <b className="font-bold">Guided</b>
      <span className="block text-mute">You start on a Monday of your choice.</span>
    </p>
  );
}

function OpenDate({ courseDate: shown }: { courseDate: CourseDateView }) {
  const courseDate = useLiveSeats(shown);
  const { seatsAvailable: seats } = courseDate;
  return (
    <p className="tabular mt-4 leading-snug">
      <a href="#dates" className="font-bold text-link underline-offset-4 hover:underline">
        {formatDays(courseDate.startDate, courseDate.endDate)}
      </a>
      <span className="block text-mute">
        {deliveryText(courseDate)}, {seats === 1 ? '1 seat left' : `${seats} seats left`}
      </span>
    </p>
  );
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="text-[1.375rem]">{title}</h3>
      {children}
    </div>
  );
}

/** A description of guided study (P38). */
function guidedFacts(liveHours: readonly string[], modules: Modules): string[] {
  return [
    'Your Monday is within the next twelve weeks.',
    materialOf(modules),
    'All modules stay open to you for 12 months from that Monday.',
    'Your instructor marks the exercises that count for the certificate, and comments on them.',
    ...liveHours.map(
      (when) =>
        `A live hour online, for questions and for what has to be shown or defended: ${when}. Not on public holidays.`,
    ),
    ...(liveHours.length === 0
      ? ['If you have to present or defend your work, you do it online. You and your instructor agree on a time.']
      : []),
    'There is no limit on seats.',
  ];
}

/** In which form the material comes (P105). */
function materialOf({ all, written }: Modules): string {
  const form = `There are ${all} modules. Each is a text to read on this site, with an exercise.`;
  if (written >= all) return form;
  const there = written === 0 ? 'They are not here yet' : `${written} of them ${written === 1 ? 'is' : 'are'} here now`;
  return `${form} ${there}. Your instructor hands ${written === 0 ? 'each' : 'each of the others'} out by the end of the business day after you open it.`;
}

/** The dates of a course to come, each with its own way to enrol (P18). */
function CourseDates({ courseDates }: { courseDates: readonly CourseDateView[] }) {
  return (
    <>
      <ul className="mt-4 grid gap-4">
        {[...courseDates.filter(canBeHad), ...courseDates.filter((one) => !canBeHad(one))].map((courseDate) => (
          <li key={courseDate.slug}>
            <CourseDate courseDate={courseDate} />
          </li>
        ))}
      </ul>
      <OwnTimesAtOnce />
    </>
  );
}

const canBeHad = ({ standing }: CourseDateView) => standing === 'open' || standing === 'full';

function CourseDate({ courseDate: shown }: { courseDate: CourseDateView }) {
  const courseDate = useLiveSeats(shown);
  const days = formatDays(courseDate.startDate, courseDate.endDate);
  const count = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="min-w-0 grow basis-72">
        <h4 className="font-display text-xl font-bold">
          <Link
            to={href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug })}
            prefetch="intent"
            className="text-link underline-offset-4 hover:underline"
          >
            {days}
          </Link>
        </h4>
        <ul className="tabular mt-2 flex flex-wrap gap-x-6 gap-y-1 text-mute">
          <li className="font-bold text-ink">{deliveryText(courseDate)}</li>
          {courseDate.standing !== 'cancelled' && (
            <li>
              {count === 1 ? '' : `${count} days, `}
              {courseDate.times}
              <OwnTime times={courseDate.ownTimes} />
            </li>
          )}
          <SeatsAndDecision
            courseDate={courseDate}
            seats={(count) => (count === 1 ? '1 seat left' : `${count} seats left`)}
          />
          {canBeHad(courseDate) && (
            <>
              <li>{formatMoney(courseDate.course.priceCents)} incl. GST</li>
              <li>{formatCourseDateHours(courseDate)}</li>
            </>
          )}
        </ul>
        <Instead courseDate={courseDate} className="mt-3 max-w-prose" />
      </div>
      <EnrolLink courseDate={courseDate} label={days} open="Enrol for this date" />
    </article>
  );
}
