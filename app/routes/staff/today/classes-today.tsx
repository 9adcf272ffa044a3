import { href, Link } from 'react-router';
import { Section } from '#app/ui/staff/page-head.tsx';
import { ActLink, TextLink, Words } from '#app/ui/staff/typography.tsx';

type Class = {
  slug: string;
  title: string;
  times: string;
  beside: string;
  dayText: string;
  instructor: string;
  way: { text: string; missing: boolean };
  sold: number;
  capacity: number;
  remark: { text: string; late: boolean } | null;
  to: string;
  marking: string | null;
};

type Hour = { id: string; title: string; times: string; instructor: string; people: number };

type Props = {
  classes: { shown: readonly Class[]; count: number; people: number };
  /** The live hours of guided study that are still to come today (P60). */
  hours: readonly Hour[];
  /** Of an instructor, whose own they are. */
  own: boolean;
  /** The next class when there is none today; null without one. */
  next: { title: string; when: string; to: string } | null;
  all: string | null;
};

const row =
  'grid grid-cols-[7.25rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0 hover:bg-hover sm:grid-cols-[7.25rem_minmax(0,1fr)_4.5rem_9.5rem] sm:items-center';

/**
 * The classes and live hours of today: when, which day of how many, who teaches, where, how many people and one thing
 * to know.
 */
export function ClassesToday({ classes: { shown: classes, count, people }, hours, own, next, all }: Props) {
  const beside =
    count > 0 && `${people} ${people === 1 ? 'person' : 'people'} in ${count} ${count === 1 ? 'class' : 'classes'}`;
  return (
    <Section
      title={own ? 'Today' : 'Classes today'}
      beside={beside}
      end={all && <ActLink to={all}>All classes</ActLink>}
    >
      {classes.length === 0 && (
        <Words>
          No class is on today.{' '}
          {next && (
            <>
              The next is <TextLink to={next.to}>{next.title}</TextLink>, {next.when}.
            </>
          )}
        </Words>
      )}
      <ul>
        {classes.map((one) => (
          <li key={one.slug} className={row}>
            <p className="leading-4.5">
              <b className="block font-semibold whitespace-nowrap">{one.times}</b>
              <span className="text-sm text-mute">{one.beside}</span>
            </p>
            <div className="min-w-0 leading-4.5">
              <Link
                to={own && one.marking ? one.marking : one.to}
                className="block font-semibold underline-offset-3 hover:underline"
              >
                {one.title}
              </Link>
              <p className="text-sm text-mute">
                {[one.dayText, own ? '' : one.instructor].filter((part) => part !== '').join(', ')}.{' '}
                <Link
                  to={one.to}
                  className={`underline decoration-1 underline-offset-3 hover:text-link ${one.way.missing ? 'font-semibold text-fault' : 'decoration-edge'}`}
                >
                  {one.way.text}
                </Link>
              </p>
            </div>
            <p className="max-sm:col-start-2 sm:text-right">
              <Link to={one.to} className="font-semibold underline decoration-edge decoration-1 underline-offset-3">
                {one.sold} of {one.capacity}
              </Link>
            </p>
            <p className={`text-sm max-sm:col-start-2 ${one.remark?.late ? 'font-semibold text-fault' : 'text-mute'}`}>
              {one.remark && one.marking && (
                <Link to={one.marking} className="underline decoration-1 underline-offset-3">
                  {one.remark.text}
                </Link>
              )}
              {!one.remark && one.marking && <ActLink to={one.marking}>Mark attendance</ActLink>}
            </p>
          </li>
        ))}
        {hours.map(({ id, title, times, instructor, people: mayCome }) => (
          <li key={id} className={row}>
            <p className="font-semibold whitespace-nowrap">{times}</p>
            <div className="min-w-0 leading-4.5">
              <Link
                to={href('/staff/live-hours/:id', { id })}
                className="block font-semibold underline-offset-3 hover:underline"
              >
                {title}
              </Link>
              <p className="text-sm text-mute">{own ? 'Live hour, online' : `Live hour, ${instructor}`}</p>
            </div>
            <p className="text-sm text-mute max-sm:col-start-2 sm:col-span-2">
              {mayCome === 0 ? 'Nobody studies it yet' : `${mayCome} ${mayCome === 1 ? 'person' : 'people'} may come`}
            </p>
          </li>
        ))}
      </ul>
      {count > classes.length && <Words>The first {classes.length} are shown.</Words>}
    </Section>
  );
}
