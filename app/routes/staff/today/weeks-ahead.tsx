import { Fragment } from 'react';
import { href, Link } from 'react-router';
import type { NextWeeks } from '#app/features/reports/today/weeks.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Straws, StrawsKey } from '#app/ui/staff/straws.tsx';
import { ActLink, TextLink, Words } from '#app/ui/staff/typography.tsx';

type Props = { weeks: NextWeeks; own: boolean };

const columns = 'grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[3.25rem_minmax(0,1fr)_7rem_3rem_7.5rem]';

/** The course dates of the next six weeks: a straw a seat, the figure beside it, and one thing to know. */
export function WeeksAhead({ weeks: { weeks, count, more, seats, pairs }, own }: Props) {
  const all = href('/staff/course-dates');
  return (
    <Section
      title="Next six weeks"
      beside={
        count > 0 && (
          <>
            {more ? 'more than ' : ''}
            {count} course {count === 1 ? 'date' : 'dates'}
            {seats && `, ${seats.sold} of ${seats.all} seats`}
          </>
        )
      }
      end={<ActLink to={all}>{own ? 'All my dates' : 'All dates'}</ActLink>}
    >
      {count === 0 && <Words>No course date starts in the next six weeks.</Words>}
      <ul>
        {(count > 0 ? weeks : []).map(({ monday, label, dates, cut, closed }) => (
          <Fragment key={monday}>
            {dates.map((date, at) => (
              <li
                key={date.slug}
                className={`grid min-h-8 items-center gap-x-3 hover:bg-hover ${columns} ${at === 0 ? 'border-t border-rule' : ''} ${monday === weeks[0]?.monday ? 'border-t-0' : ''} max-sm:py-1.5`}
              >
                <span className="text-sm font-semibold whitespace-nowrap max-sm:col-span-2">
                  {at === 0 ? label : <span className="sr-only">{label}</span>}
                </span>
                <p className="py-1 leading-5" title={`${date.whole}, ${date.where}`}>
                  <Link to={date.to} className="font-semibold underline-offset-3 hover:underline">
                    {date.title}
                  </Link>{' '}
                  <span className="text-sm whitespace-nowrap text-mute">{date.where}</span>
                </p>
                <div className="max-sm:order-last">
                  <Straws sold={date.sold} held={date.held} total={date.capacity} minimum={date.minimum} />
                </div>
                <p className="text-right whitespace-nowrap">
                  <Link
                    to={date.to}
                    className="font-semibold underline decoration-edge decoration-1 underline-offset-3"
                  >
                    {date.sold}
                  </Link>
                  <span className="text-mute"> / {date.capacity}</span>
                </p>
                <span
                  className={`text-sm max-sm:order-last max-sm:text-right ${date.remark.late ? 'font-semibold text-fault' : 'text-mute'}`}
                >
                  {date.remark.text}
                </span>
              </li>
            ))}
            {cut && (
              <li className={`grid min-h-8 items-center gap-x-3 ${columns}`}>
                <span />
                <p className="text-sm">
                  <TextLink
                    to={`${all}?${new URLSearchParams({ 'starts-from': monday, 'starts-before': addDays(monday, 7) })}`}
                  >
                    All dates of this week
                  </TextLink>
                </p>
              </li>
            )}
            {(dates.length === 0 || closed.length > 0) && (
              <li
                className={`grid min-h-8 grid-cols-[3.25rem_minmax(0,1fr)] items-center gap-x-3 text-sm text-mute ${dates.length === 0 ? 'border-t border-rule' : ''} ${monday === weeks[0]?.monday ? 'border-t-0' : ''}`}
              >
                <span className="font-semibold whitespace-nowrap text-ink">{dates.length === 0 && label}</span>
                <span className="py-1.5">
                  {[...(dates.length === 0 ? ['Nothing starts'] : []), ...closed].join('. ')}
                </span>
              </li>
            )}
          </Fragment>
        ))}
      </ul>
      {count > 0 && <StrawsKey pairs={pairs} />}
    </Section>
  );
}
