import { Link } from 'react-router';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import { FileLink, TextLink } from './typography.tsx';

/** A piece of a sentence: words, a link, or what does not hold any more. */
export type Words = string | { text: string; to: string; file?: true } | { text: string; was: true } | { bad: string };

/** Something that happened. Its time is a wall-clock time in Brisbane; null when only its day is known. */
export type TimelineEntry = {
  key: string;
  who: 'buyer' | 'staff' | 'program';
  by: string;
  time: string | null;
  words: readonly Words[];
  /** The text that somebody wrote. */
  body?: string;
};

/** The events of one day, latest first. */
export type TimelineDay = { day: string; title: string; timelineEntries: readonly TimelineEntry[] };

type Props = {
  days: readonly TimelineDay[];
  /** Shown instead when there is nothing. */
  none: string;
  /** The content below an event, by its key. */
  below?: (key: string) => React.ReactNode;
};

/** The events of a subject by day, latest first: along a straw, with a mark for the actor. */
export function Timeline({ days, none, below }: Props) {
  if (days.length === 0) return <p className="py-3 text-mute">{none}</p>;
  return (
    <div className="relative pt-3 before:absolute before:inset-y-3 before:left-[5.25rem] before:w-0.5 before:bg-straw">
      {days.map(({ day, title, timelineEntries }) => (
        <section key={day} aria-label={title}>
          <h3 className="mt-2 mb-1 ml-26 font-sans text-sm font-semibold tracking-normal text-mute">{title}</h3>
          <ol>
            {timelineEntries.map(({ key, who, by, time, words, body }) => (
              <li key={key} className="grid grid-cols-[4.5rem_1rem_minmax(0,1fr)] gap-x-2 py-1.5">
                <span className="text-right text-sm text-mute">{time}</span>
                <Mark who={who} />
                <div className="min-w-0 pl-1">
                  <p className="wrap-anywhere">
                    <b>{by}</b> {words.map((one, at) => piece(one, at))}
                  </p>
                  {body && (
                    <p className="mt-1 rounded-control bg-straw-tint px-3 py-2 wrap-anywhere whitespace-pre-wrap">
                      {body}
                    </p>
                  )}
                  {below?.(key)}
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function piece(one: Words, at: number) {
  if (typeof one === 'string') return <Unbroken key={at} text={one} />;
  if ('bad' in one) {
    return (
      <span key={at} className="font-semibold text-fault">
        {one.bad}
      </span>
    );
  }
  if ('was' in one) return <s key={at}>{one.text}</s>;
  const Leads = one.file ? FileLink : TextLink;
  return (
    <Leads key={at} to={one.to}>
      {one.text}
    </Leads>
  );
}

/** A circle for buyers and attendees, a gem for staff, a ring for the program. */
function Mark({ who }: Pick<TimelineEntry, 'who'>) {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="relative mt-0.5 size-4 fill-paper">
      {who === 'buyer' && <circle cx="8" cy="8" r="4" className="fill-ink" />}
      {who === 'staff' && <path d="m8 2.5 5 5.5-5 5.5L3 8Z" className="fill-action" />}
      {who === 'program' && <circle cx="8" cy="8" r="3.5" strokeWidth="1.5" className="stroke-mute" />}
    </svg>
  );
}

type FilterProps = {
  /** An actor, with the link to their events alone and how many there are. */
  all: { to: string; count: number };
  each: readonly { who: TimelineEntry['who']; text: string; to: string }[];
  shown: TimelineEntry['who'] | null;
};

/** Links that narrow a timeline to who did it. */
export function TimelineFilter({ all, each, shown }: FilterProps) {
  const look = 'flex items-center gap-1 underline-offset-3 hover:underline aria-[current=true]:font-semibold';
  return (
    <nav aria-label="Who did it">
      <ul className="flex flex-wrap gap-x-4">
        <li>
          <Link to={all.to} aria-current={shown === null} className={look} preventScrollReset>
            All {all.count}
          </Link>
        </li>
        {each.map(({ who, text, to }) => (
          <li key={who}>
            <Link to={to} aria-current={shown === who} className={look} preventScrollReset>
              <Mark who={who} />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
