import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { formatMoney } from '#app/lib/money.ts';
import { RefundStraws } from '#app/routes/enrol/refund-straws.tsx';
import { button } from '#app/ui/button.ts';
import { CalendarButtons } from '#app/ui/calendar-buttons.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { JoinLink } from './join-link.tsx';
import type { PlaceGroup, RefundShown, StepShown } from './place-groups.ts';

const textLink = 'inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4 sm:min-h-0';

type Props = {
  group: PlaceGroup;
  token: string;
  /** Whether it is the only one: then the head of the page has its course and date. */
  only: boolean;
};

/**
 * Places that differ only in their attendees, on the buyer's page: course, date, place, attendees, refunds (P31, P32).
 */
export function PlaceGroupSection({ group, token, only }: Props) {
  const { title, when, where, join, standing, opened, ready, places, choose, refund, eachCents, discount } = group;
  return (
    <section className={`min-w-0 ${only ? '' : 'border-t-2 border-ink pt-6 first:border-0 first:pt-0'}`}>
      {!only && (
        <>
          <h2 className="text-2xl">
            <Unbroken text={title} />
          </h2>
          <p className="tabular mt-2 text-lg font-semibold">{when}</p>
          {where && <p>{where}</p>}
        </>
      )}
      {standing && !(only && standing === 'Confirmed') && <p className="text-mute">{standing}</p>}
      {opened && <p className="tabular mt-1 text-mute">{opened}</p>}
      {join && (
        <div className="mt-3">
          <JoinLink link={join} />
        </div>
      )}
      {choose && <Choose group={group} token={token} />}
      <h3 className="mt-6 text-[1.375rem] first:mt-0">Who attends</h3>
      {places.length > 1 && places.some(({ who }) => who === null) && (
        <p className="no-print mt-2">
          <Link to={href('/enrolment/:token/names', { token })} className={button.primary}>
            Add all names
          </Link>
        </p>
      )}
      <ul className="mt-2 grid">
        {places.map((place) => (
          <li
            key={place.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line py-3"
          >
            <span className="min-w-0 wrap-anywhere">
              <b>{place.who ?? 'To be named'}</b>
              {place.email && <span className="block text-sm text-mute">{place.email}</span>}
            </span>
            <NameLink place={place} token={token} />
          </li>
        ))}
      </ul>
      <GroupActs group={group} token={token} />
      {refund && (
        <>
          <h3 className="mt-8 text-[1.375rem]">If you cancel{places.length > 1 ? ' a place' : ''}</h3>
          <RefundByDay refund={refund} each={places.length > 1} />
        </>
      )}
      <p className="mt-3 text-[0.9375rem] text-mute">
        Price {places.length > 1 && 'for each '}
        {formatMoney(eachCents)} incl. GST{discount && `, ${discount}`}.
      </p>
      {ready && (
        <details className="group mt-3">
          <summary className="flex min-h-11 items-center justify-between gap-4 font-bold">
            How to join and what to bring
            <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
          </summary>
          <p className="max-w-prose whitespace-pre-line">{ready}</p>
        </details>
      )}
    </section>
  );
}

/** Names a place, or changes its name. */
function NameLink({ place: { who, attendeeId }, token }: { place: PlaceGroup['places'][number]; token: string }) {
  return (
    <Link
      to={href('/enrolment/:token/attendee/:attendeeId', { token, attendeeId: String(attendeeId) })}
      aria-label={who ? `Change name: ${who}` : 'Add a name: the person to be named'}
      className={`no-print ${who ? textLink : button.primary}`}
    >
      {who ? 'Change name' : 'Add a name'}
    </Link>
  );
}

/** The refunds by day, today's step first (P31). */
export function RefundByDay({ refund: { rows, words }, each }: { refund: RefundShown; each: boolean }) {
  return (
    <div className="mt-3">
      {rows ? (
        <RefundStraws rows={rows} places={1} each={each} today />
      ) : (
        <p className="max-w-prose">{sentence(words)}</p>
      )}
    </div>
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/** The academy cancelled or moved the date: by when to answer, and what silence means (P40). */
function Choose({ group: { choose, places, transferable }, token }: { group: PlaceGroup; token: string }) {
  if (!choose) return null;
  return (
    <div className="mt-4 rounded-control border-2 border-straw p-4">
      <p className="font-bold">
        {choose.why === 'course-date-cancelled'
          ? `We had to cancel this date. Please choose by ${choose.by}.`
          : `We had to change this date. You keep your place unless you choose otherwise by ${choose.by}.`}
      </p>
      <p className="mt-1">{options(choose.why, transferable)}</p>
      <p className="no-print mt-3 flex flex-wrap gap-3">
        {places.map(({ id, who }) => (
          <Link
            key={id}
            to={href('/enrolment/:token/choose/:placeId', { token, placeId: String(id) })}
            className={button.primary}
          >
            {places.length > 1 ? `Choose for ${who ?? 'the unnamed place'}` : 'Choose'}
          </Link>
        ))}
      </p>
    </div>
  );
}

function options(why: NonNullable<PlaceGroup['choose']>['why'], otherDate: boolean): string {
  if (why === 'course-date-moved') {
    return `If the change does not suit you, ${otherDate ? 'take another date or have a full refund' : 'you can have a full refund'}.`;
  }
  const ways = otherDate
    ? 'Take another date, or have a full refund.'
    : 'You can have a full refund; no other date has a free seat now.';
  return `${ways} If you don’t choose by then, we refund everything.`;
}

/** The refund from today on, today's step marked (P31). */
export function Steps({ steps }: { steps: readonly StepShown[] }) {
  return (
    <ol className="tabular mt-2 grid gap-1">
      {steps.map(({ when, back }, at) => (
        <li
          key={when}
          aria-current={at === 0 ? 'step' : undefined}
          className={`flex flex-wrap items-baseline gap-x-3 border-l-4 py-1 pl-3 ${at === 0 ? 'border-action font-bold' : 'border-line text-mute'}`}
        >
          <span>{when}</span>
          <span>{back}</span>
          {at === 0 && (
            <span className="rounded-full border border-action px-2.5 text-sm font-bold text-link">Today</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Places without a name are alike, so one link serves them all. */
const onePerName = (places: PlaceGroup['places']) =>
  places.filter(({ who }, at) => who !== null || at === places.findIndex((place) => place.who === null));

/**
 * The buyer's acts on places, each with its effect, or with the reason why it is not possible and an alternative (P32,
 * P40).
 */
function GroupActs({ group, token }: { group: PlaceGroup; token: string }) {
  const { places, transferable, unmovable, choose, hasDates, calendar, noSeat, refund, minimum } = group;
  const [first] = places;
  const several = places.length > 1;
  const nameOf = (who: string | null) => who ?? 'the person to be named';
  const held = choose?.why !== 'course-date-cancelled';
  return (
    <>
      <h3 className="mt-8 text-[1.375rem]">What you can do</h3>
      <ul className="mt-2 grid">
        {refund && (
          <Act
            title={several ? 'Cancel places' : 'Cancel the place'}
            text={
              <>
                <b className="tabular text-ink">{formatMoney(refund.cents)}</b> {refund.as}
                {several && ' for each'}, if you cancel today
                {minimum !== null && `. ${minimum} or more stay on this date, or nobody.`}
              </>
            }
          >
            <Link
              to={`${href('/enrolment/:token/cancel', { token })}${several ? '' : `?place=${first.id}`}`}
              className={button.quiet}
            >
              {several ? 'Choose places' : 'Cancel this place'}
            </Link>
          </Act>
        )}
        {transferable && (
          <Act
            title="Move to another date"
            text={choose ? 'Free, and it does not use your free move.' : 'One move before the first day is free.'}
          >
            {onePerName(places).map(({ id, who }) => (
              <Link
                key={id}
                to={href('/enrolment/:token/transfer/:placeId', { token, placeId: String(id) })}
                aria-label={several ? undefined : `Move ${nameOf(who)} to another date`}
                className={several ? nameLink : button.quiet}
              >
                {several ? `Another date for ${who ?? 'an unnamed place'}` : 'Another date'}
              </Link>
            ))}
          </Act>
        )}
        {unmovable && (
          <Act title="Move to a new date" text={`Not possible now. ${unmovable.why}`} possible={false}>
            {unmovable.waitingList && (
              <Link to={unmovable.waitingList} className={button.quiet}>
                {unmovable.waitingList.includes('courseDate=') ? 'Join its waiting list' : 'Tell me about dates'}
              </Link>
            )}
          </Act>
        )}
        {held &&
          (noSeat === null ? (
            <Act title="Add a person" text="At today’s price, on a separate invoice.">
              <Link to={href('/enrolment/:token/add', { token })} className={button.quiet}>
                Add a person
              </Link>
            </Act>
          ) : noSeat.why === 'closed' ? (
            <Act title="Add a person" text="Not possible now. Enrolment for this date has closed." possible={false} />
          ) : (
            <Act title="Add a person" text="Not possible now. No seat is free on this date." possible={false}>
              {noSeat.slug && (
                <Link to={`${href('/waiting-list')}?courseDate=${noSeat.slug}`} className={button.quiet}>
                  Join the waiting list
                </Link>
              )}
            </Act>
          ))}
        {hasDates && (
          <Act
            title="Add to calendar"
            text="All days in one file. Declining the calendar invitation does not cancel your place."
          >
            <CalendarButtons
              file={href('/enrolment/:token/place/:placeId/calendar.ics', { token, placeId: String(first.id) })}
              links={calendar}
            />
          </Act>
        )}
      </ul>
    </>
  );
}

const nameLink = 'inline-flex min-h-9 items-center font-bold text-link underline underline-offset-4';

type ActProps = { title: string; text: ReactNode; possible?: boolean; children?: ReactNode };

function Act({ title, text, possible = true, children }: ActProps) {
  return (
    <li className="grid items-center gap-x-6 gap-y-2 border-b border-line py-3.5 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
      <span className={possible ? 'font-semibold' : 'text-mute'}>{title}</span>
      <span className="text-[0.9375rem] text-mute">{text}</span>
      <span className="no-print flex flex-wrap gap-2 sm:max-w-72 sm:flex-col">{children}</span>
    </li>
  );
}
