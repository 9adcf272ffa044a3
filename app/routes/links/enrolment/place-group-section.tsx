import { href, Link } from 'react-router';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { JoinLink } from './join-link.tsx';
import type { PlaceGroup, StepShown } from './place-groups.ts';

const textLink = 'inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4 sm:min-h-0';

/** Places that differ only in who attends, on the buyer's page: what, when, where, who, what comes back (P31, P32). */
export function PlaceGroupSection({ group, token }: { group: PlaceGroup; token: string }) {
  const { title, when, where, join, standing, opened, ready, places, choose, hasDates } = group;
  const [first] = places;
  return (
    <section className="min-w-0 rounded-card border border-line bg-card p-5 sm:p-7">
      <h2 className="text-2xl">
        <Unbroken text={title} />
      </h2>
      <p className="tabular mt-3 text-lg font-semibold">{when}</p>
      {where && <p>{where}</p>}
      {standing && <p className="mt-1 text-mute">{standing}</p>}
      {opened && <p className="tabular mt-1 text-mute">{opened}</p>}
      {join && (
        <div className="mt-3">
          <JoinLink link={join} />
        </div>
      )}
      {choose && <Choose group={group} token={token} />}
      {ready && (
        <details className="group mt-3">
          <summary className="flex min-h-11 items-center justify-between gap-4 font-bold">
            How to join and what to bring
            <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
          </summary>
          <p className="max-w-prose whitespace-pre-line">{ready}</p>
        </details>
      )}
      {hasDates && (
        <p className="no-print mt-3">
          <a
            href={href('/enrolment/:token/place/:placeId/calendar.ics', { token, placeId: String(first.id) })}
            download
            className={textLink}
          >
            Calendar file (.ics)
          </a>{' '}
          <span className="text-mute">Declining it in your calendar does not cancel.</span>
        </p>
      )}
      <h3 className="mt-6 text-lg">Who attends</h3>
      <ul className="mt-2 grid">
        {places.map((place) => (
          <li
            key={place.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line py-3"
          >
            <span className="min-w-0 wrap-anywhere">
              <b>{place.who ?? 'To be named'}</b>
              {place.email && <span className="block text-sm text-mute">{place.email}</span>}
            </span>
            <span className="no-print flex flex-wrap gap-x-5">
              <PlaceLinks group={group} place={place} token={token} />
            </span>
          </li>
        ))}
      </ul>
      <h3 className="mt-4 text-lg">If you cancel</h3>
      {group.steps ? (
        <Steps steps={group.steps} each={places.length > 1} />
      ) : (
        <p className="mt-2 max-w-prose">{sentence(group.words)}</p>
      )}
      <p className="mt-3 text-mute">{priceAndRefund(group)}</p>
    </section>
  );
}

/** What the place costs, why the refund is what it is, and the refund of today. */
function priceAndRefund({ places, eachCents, words, refund, keeping }: PlaceGroup): string {
  const several = places.length > 1;
  const today = `${formatMoney(Math.abs(refund.cents))}${several ? ' each' : ''}`;
  return [
    `Price ${several ? 'for each ' : ''}${formatMoney(eachCents)} incl. GST.`,
    words === refund.reason ? '' : refund.reason,
    keeping ?? '',
    `${refund.cents < 0 ? 'To pay extra' : 'Refund'} if you cancel today: ${today}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

function PlaceLinks({
  group,
  place: { id, who, attendeeId },
  token,
}: {
  group: PlaceGroup;
  place: PlaceGroup['places'][number];
  token: string;
}) {
  const name = who ?? 'the person to be named';
  return (
    <>
      <Link
        to={href('/enrolment/:token/attendee/:attendeeId', { token, attendeeId: String(attendeeId) })}
        aria-label={`${who ? 'Change' : 'Name'} ${name}`}
        className={textLink}
      >
        {who ? 'Change' : 'Name'}
      </Link>
      {group.transferable && (
        <Link
          to={href('/enrolment/:token/transfer/:placeId', { token, placeId: String(id) })}
          aria-label={`Move ${name} to another date`}
          className={textLink}
        >
          Another date
        </Link>
      )}
      {group.cancellable && (
        <Link
          to={`${href('/enrolment/:token/cancel', { token })}?place=${id}`}
          aria-label={`Cancel the place of ${name}`}
          className={textLink}
        >
          Cancel
        </Link>
      )}
    </>
  );
}

/** The academy cancelled or moved the date: by when to answer, and what silence means (P40). */
function Choose({ group: { choose, places, transferable }, token }: { group: PlaceGroup; token: string }) {
  if (!choose) return null;
  return (
    <div className="mt-4 rounded-control border-2 border-straw p-4">
      <p className="font-bold">
        {choose.why === 'session-cancelled'
          ? `We had to cancel this date. Please choose by ${choose.by}.`
          : `We had to change this date. You keep your place unless you tell us otherwise by ${choose.by}.`}
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
  if (why === 'session-moved') {
    return `If the change does not suit you, ${otherDate ? 'take another date or have a full refund' : 'you can have a full refund'}.`;
  }
  const ways = otherDate
    ? 'Take another date, or have a full refund.'
    : 'You can have a full refund; no other date has a free seat now.';
  return `${ways} If we hear nothing by then, we refund everything.`;
}

/** The refund ladder from today on, today's step marked (P31). */
export function Steps({ steps, each }: { steps: readonly StepShown[]; each: boolean }) {
  return (
    <ol className="tabular mt-2 grid gap-1">
      {steps.map(({ when, back }, at) => (
        <li
          key={when}
          aria-current={at === 0 ? 'step' : undefined}
          className={`flex flex-wrap items-baseline gap-x-3 border-l-4 py-1 pl-3 ${at === 0 ? 'border-action font-bold' : 'border-line text-mute'}`}
        >
          <span>{when}</span>
          <span>
            {back}
            {each && !back.startsWith('nothing') ? ' each' : ''}
          </span>
          {at === 0 && (
            <span className="rounded-full border border-action px-2.5 text-sm font-bold text-link">Today</span>
          )}
        </li>
      ))}
    </ol>
  );
}
