import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import type { PlaceGroup } from './place-groups.ts';

/**
 * The buyer's acts on places, each with its effect, or with the reason why it is not possible and an alternative (P32,
 * P40).
 */
export function GroupActs({ group, token }: { group: PlaceGroup; token: string }) {
  const { places, transferable, unmovable, choose, hasDates, noSeat, refund } = group;
  const [first] = places;
  const several = places.length > 1;
  const nameOf = (who: string | null) => who ?? 'the person to be named';
  const held = choose?.why !== 'course-date-cancelled';
  return (
    <>
      <h3 className="mt-8 text-xl">What you can do</h3>
      <ul className="mt-2 grid">
        {refund && (
          <Act
            title={several ? 'Cancel places' : 'Cancel the place'}
            text={
              <>
                <b className="tabular text-ink">{formatMoney(refund.cents)}</b> {refund.as}
                {several && ' for each'}, if you cancel today
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
            {places.map(({ id, who }) => (
              <Link
                key={id}
                to={href('/enrolment/:token/transfer/:placeId', { token, placeId: String(id) })}
                aria-label={several ? undefined : `Move ${nameOf(who)} to another date`}
                className={several ? nameLink : button.quiet}
              >
                {several ? `Another date for ${who ?? 'the unnamed place'}` : 'Another date'}
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
              <Link to={`${href('/waiting-list')}?courseDate=${noSeat.slug}`} className={button.quiet}>
                Join the waiting list
              </Link>
            </Act>
          ))}
        {hasDates && (
          <Act
            title="Add to calendar"
            text="All days in one file. Declining the calendar invitation does not cancel your place."
          >
            <a
              href={href('/enrolment/:token/place/:placeId/calendar.ics', { token, placeId: String(first.id) })}
              download
              className={button.quiet}
            >
              Calendar file (.ics)
            </a>
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
