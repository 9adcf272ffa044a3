import { useEffect, useRef } from 'react';
import { href, Link } from 'react-router';
import type { ClassDay } from '#app/features/study/classes.server.ts';
import { type Day, formatDay, shortMonth, shortWeekday } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { markInWords } from './mark-texts.ts';
import type { Taps } from './use-taps.ts';

/** The days of a class, each with an address. */
export function Days({ days, day, path }: { days: readonly string[]; day: string; path: string }) {
  return (
    <nav aria-label="Day" className="mt-3 overflow-x-auto border-b border-rule max-sm:-mx-4 max-sm:px-4">
      <ul className="flex">
        {days.map((one) => (
          <li key={one} className="min-w-16 grow">
            <Link
              to={`${path}?day=${one}`}
              aria-current={one === day ? 'date' : undefined}
              preventScrollReset
              className="tabular flex min-h-12 flex-col items-center justify-center border-b-3 border-transparent px-1 text-sm text-mute aria-[current=date]:border-straw aria-[current=date]:text-ink"
            >
              <b>{shortWeekday(one)}</b>
              {Number(one.slice(8))} {shortMonth(one)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The message of an attendee who cannot come on the day shown (P56). */
export function CannotCome({ told }: { told: { note: string } | null }) {
  if (!told) return null;
  return (
    <span className="block text-sm font-semibold wrap-anywhere">
      Told us they can’t come{told.note === '' ? '' : `: ${told.note}`}
    </span>
  );
}

type MarksProps = { people: ClassDay['people']; hasCome: boolean };

/** The people of a day and their marks, to read. */
export function MarksAsText({ people, hasCome }: MarksProps) {
  return (
    <ul className="border-t border-line">
      {people.map((person) => (
        <li key={person.placeId} className="flex justify-between gap-4 border-b border-line py-3">
          <span className="min-w-0">
            <b className="wrap-anywhere">{person.name}</b>
            <CannotCome told={person.cannotCome} />
          </span>
          <span className="tabular">{markInWords(person) || (hasCome ? 'Not marked' : '')}</span>
        </li>
      ))}
    </ul>
  );
}

/** Neither a telephone number nor a place on this page. */
const needsNetwork = ({ protocol, pathname }: HTMLAnchorElement) =>
  protocol.startsWith('http') && pathname !== window.location.pathname;

/**
 * While marks wait and there is no network a link would leave a page that does not open again: it leads to what says so
 * instead.
 */
function useStayWithoutNetwork(waits: boolean) {
  const says = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!waits) return;
    const stay = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || navigator.onLine || !needsNetwork(link)) return;
      event.preventDefault();
      event.stopPropagation();
      says.current?.focus();
    };
    document.addEventListener('click', stay, true);
    return () => document.removeEventListener('click', stay, true);
  }, [waits]);
  return says;
}

/** The state of taps: saved, or kept on the phone and why. */
export function TapsState({
  taps: { ready, waiting, refused, sent, readRefused },
  people,
}: {
  taps: Taps;
  people: readonly { placeId: number; name: string }[];
}) {
  const says = useStayWithoutNetwork(waiting > 0);
  if (!ready) return null;
  return (
    <div className="mb-3">
      <p role="status" className="flex min-h-6 items-center gap-2 text-sm text-mute">
        <span
          aria-hidden="true"
          className={`size-2.5 rounded-full ${waiting === 0 ? 'bg-action' : 'border-2 border-edge'}`}
        />
        {waiting === 0 && refused.length > 0
          ? 'Not all saved'
          : waiting === 0
            ? 'All saved'
            : sent === 'no-network'
              ? 'No network'
              : 'Not saved yet'}
      </p>
      {waiting > 0 && sent !== null && sent !== 'all' && (
        <p ref={says} tabIndex={-1} role="alert" className="mt-2 rounded-control border-2 border-straw p-3 text-sm">
          <b>
            {waiting === 1 ? '1 mark is' : `${waiting} marks are`} kept on this phone. {whatNow[sent]}
          </b>
        </p>
      )}
      {refused.length > 0 && (
        <div role="alert" className="mt-2 rounded-control border-2 border-fault p-3 text-sm">
          <p className="font-bold">{refused.length === 1 ? '1 mark was' : `${refused.length} marks were`} not taken:</p>
          <ul className="list-disc pl-5">
            {refused.map(({ key, placeId, mark, day, refused: why }) => (
              <li key={key}>
                <b>
                  {people.find((one) => one.placeId === placeId)?.name ?? 'Somebody in another class'},{' '}
                  {mark === 'present' ? 'here' : 'absent'} on {formatDay(day)},
                </b>{' '}
                {why}
              </li>
            ))}
          </ul>
          <button type="button" onClick={readRefused} className={`${button.quiet} mt-2`}>
            I have read this
          </button>
        </div>
      )}
    </div>
  );
}

/** Says that the page is of an earlier day than the phone, and leads to the later one, which needs no network. */
export function OlderDay({ day, later, takeLater }: { day: Day; later: Day; takeLater: (() => void) | null }) {
  return (
    <div role="alert" className="my-3 rounded-control border-2 border-straw p-3 text-sm">
      <p>
        <b>It is now {formatDay(later)}.</b> This page was opened before, and its switches mark {formatDay(day)}.
      </p>
      {takeLater && (
        <button type="button" onClick={takeLater} className={`${button.quiet} mt-2`}>
          Mark {formatDay(later)}
        </button>
      )}
    </div>
  );
}

const whatNow = {
  'no-network':
    'We send them when the network is back. Keep this page open: once it is closed, it does not open without a network.',
  'signed-out': 'You are no longer signed in. Sign in again and open this page: they go out then.',
  'not-allowed': 'Your role no longer allows marking. Tell the office what you marked, or ask for the role again.',
};

/** Leads to the list of attendees for printing, and to minutes and absences. */
export function Dock({ slug, day, fix }: { slug: string; day: string; fix: string | null }) {
  return (
    <div className="mt-6 flex flex-wrap gap-3 print:hidden">
      {fix && (
        <Link to={`${href('/staff/classes/:slug/details', { slug })}?day=${day}`} className={button.quiet}>
          {fix}
        </Link>
      )}
      <OnlyWith permission="certificates:issue">
        <Link to={href('/staff/course-dates/:slug/certificates', { slug })} className={button.quiet}>
          Work and certificates
        </Link>
      </OnlyWith>
      <Link to={href('/staff/course-dates/:slug/attendees', { slug })} className={button.quiet}>
        List for printing
      </Link>
    </div>
  );
}
