import { Form, href, Link, useNavigation } from 'react-router';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { type OwnOffer, readOwnOffers } from '#app/features/course-dates/queries.server.ts';
import { decisionText, takesEnrolments } from '#app/features/course-dates/rules.ts';
import { type Enrolment, lastFirstDay, type Place } from '#app/features/enrolments/enrolment.ts';
import { mayMove, minimumBroken, minimumText, openChoice } from '#app/features/enrolments/may-change.ts';
import { type Charged, capOfMove, purchaseOf, refundable } from '#app/features/enrolments/purchases.ts';
import { courseDateWhen, placeWhen, shownDate } from '#app/features/enrolments/words.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FactRows } from '#app/ui/fact-rows.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/transfer';
import { ActPage, Away, Confirm, noFault } from './frame.tsx';
import { transferAsAsked } from './place-acts.server.ts';
import { Steps } from './place-group-section.tsx';
import { type StepShown, stepsOf } from './place-groups.ts';
import { actForBuyer, loadForBuyer, noLink } from './private-page.server.ts';

/** A date to which a place can be moved. */
type TransferDate = {
  slug: string;
  courseDateId: number;
  /** The date as the form sends it back. */
  date: string;
  when: string;
  where: string;
  left: number;
  /** Whether it is held, as a sentence; with this place it may be (P39). */
  decision: string;
  /** Whether it still waits to be confirmed once the place is there; then nothing is due for it, and cancelling is free. */
  waits: boolean;
  /** The number of its seats that its waiting list offers the buyer. */
  offered: number;
  /** The refunds after the move, by date (P40). */
  steps: StepShown[];
};

type Now = Pick<Moment, 'now' | 'today'> & { charged: Charged; offers: ReadonlyMap<number, OwnOffer> };

/** The dates of its course that take enrolments, apart from its own, each with the refund ladder after the move. */
function datesToMoveTo(
  enrolment: Enrolment,
  place: Place & { way: 'date' },
  courseDates: readonly CourseDate[],
  { now, today, charged, offers }: Now,
): TransferDate[] {
  const caused = openChoice(place, today) !== null;
  const moveCap = caused ? place.moveCap : capOfMove(place, charged(place.id), now).percent;
  // Once it is moved it is no longer chosen for alone.
  const whole = { ...place, chooseBy: null, chooseWhy: null };
  const places = enrolment.places.map((one) => (one.id === place.id ? whole : one));
  const bought = refundable(purchaseOf({ ...enrolment, places }, whole, today), { charged, today });
  return courseDates
    .filter((courseDate) => courseDate.course.slug === place.courseSlug && courseDate.id !== place.courseDate?.id)
    .filter((courseDate) => takesEnrolments(courseDate, today) && courseDate.startDate <= lastFirstDay(today))
    .map((courseDate) => {
      const moved = {
        academyChanged: false,
        study: { way: 'date', firstDay: courseDate.startDate, state: courseDate.state },
        moveCap,
      } as const;
      const courses = bought.courses.map((course) => (course.id === place.id ? { ...course, ...moved } : course));
      const times = {
        startsOn: courseDate.startDate,
        endsOn: courseDate.endDate,
        startsAt: courseDate.startTime,
        endsAt: courseDate.endTime,
      };
      return {
        slug: courseDate.slug,
        courseDateId: courseDate.id,
        date: shownDate({ ...courseDate, ...times }),
        when: courseDateWhen({ ...courseDate, ...times }),
        where: deliveryText(courseDate),
        left: courseDate.seatsAvailable,
        ...decisionWith(courseDate, today),
        offered: offers.get(courseDate.id)?.seats ?? 0,
        steps: stepsOf({ ...bought, courses }, now),
      };
    });
}

/** Reaching the minimum confirms a date: a page says so before the place moves there. */
function decisionWith(courseDate: CourseDate, today: Day): Pick<TransferDate, 'decision' | 'waits'> {
  const tentative = courseDate.state === 'tentative' && courseDate.decidedBy !== null;
  const confirms = tentative && courseDate.seatsSold + 1 >= courseDate.minimum;
  if (confirms) return { decision: 'With this place the course runs: the move confirms the date.', waits: false };
  return { decision: `${decisionText(courseDate, today)}.`, waits: tentative };
}

/** The dates to which a place can be moved; the chosen one with the later refunds (P40). */
export function loader({ context, params: { token, placeId }, url }: Route.LoaderArgs) {
  const { courseDates } = context.get(snapshotContext).current();
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const place = enrolment.places.find(({ id }) => String(id) === placeId);
    if (!place) throw noLink();
    const { today } = moment;
    const charged = await chargedFor(trx, enrolment.id);
    const offers = await readOwnOffers(trx, enrolment.email);
    const movable = place.way === 'date' && mayMove(place, 'buyer', today) === 'yes' ? place : null;
    const dates = movable ? datesToMoveTo(enrolment, movable, courseDates, { ...moment, offers, charged }) : [];
    const minimum = place.state === 'active' ? minimumBroken([place], today) : null;
    const to = url.searchParams.get('to');
    return {
      token,
      placeId,
      place: {
        who: place.attendee.name ?? 'To be named',
        title: place.courseTitle,
        courseSlug: place.courseSlug,
        when: placeWhen(place),
        free: openChoice(place, moment.today) !== null,
        cents: place.amountCents,
      },
      movable: movable !== null,
      tooFew: minimum && minimumText(minimum),
      combo: enrolment.comboId !== null,
      shownCents: movable ? capOfMove(movable, charged(place.id), moment.now).cents : 0,
      dates,
      chosen: dates.find(({ slug, left, offered }) => slug === to && left + offered > 0) ?? null,
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, transferAsAsked);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Move to another date', 'The dates to which a place of your enrolment can be moved.', noPage);

const formId = 'transfer-form';

function leftText(left: number, offered: number): string {
  if (offered > 0) return offered === 1 ? '1 seat is kept for you' : `${offered} seats are kept for you`;
  return left === 0 ? 'no seats left' : left === 1 ? '1 seat left' : `${left} seats left`;
}

export default function Transfer({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData) return <Away />;
  const { token, placeId, place, movable, tooFew, combo, shownCents, dates, chosen } = loaderData;
  const path = href('/enrolment/:token/transfer/:placeId', { token, placeId });
  return (
    <ActPage
      title="Move to another date"
      lead={
        place.free
          ? 'Because we changed the date, this move is free and does not use your free move. Price and invoice stay the same.'
          : 'One move before the first day is free. Price and invoice stay the same.'
      }
      token={token}
    >
      <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId={formId} />
      <FactRows
        rows={[
          ['Who', place.who],
          ['What', <Unbroken key="title" text={place.title} />],
          ['Current date', place.when],
        ]}
      />
      {!movable && (
        <p>
          {tooFew ??
            'This place can no longer be moved here: its free move was used, its first day has come, or it was cancelled. Please call us if you still need to move it.'}
        </p>
      )}
      {movable && dates.length === 0 && (
        <p>
          There is no other date of this course at the moment. The place stays as it is. New dates appear on{' '}
          <Link
            to={href('/course/:courseId', { courseId: place.courseSlug })}
            className="font-bold text-link underline underline-offset-4"
          >
            the course’s page
          </Link>
          , or you can cancel under the terms.
        </p>
      )}
      {dates.length > 0 && (
        <section>
          <h2 className="text-2xl">Dates</h2>
          <ul className="mt-4 grid gap-3">
            {dates.map(({ slug, when, where, left, offered, decision }) => (
              <li
                key={slug}
                className={`flex flex-wrap items-center justify-between gap-4 rounded-card border bg-card p-4 ${slug === chosen?.slug ? 'border-2 border-action' : 'border-line'}`}
              >
                <span className="tabular min-w-0">
                  <b className="block">{unbrokenTimes(when)}</b>
                  <span className="text-mute">
                    {where}, {leftText(left, offered)}
                  </span>
                  <span className="block text-[0.9375rem] text-mute">{decision}</span>
                </span>
                {left + offered > 0 && slug !== chosen?.slug && (
                  <Link
                    to={`${path}?to=${slug}`}
                    preventScrollReset
                    aria-label={`Choose ${when}`}
                    className={button.quiet}
                  >
                    Choose
                  </Link>
                )}
                {slug === chosen?.slug && <b>Chosen</b>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {chosen && (
        <Form
          id={formId}
          method="post"
          action={`${path}?to=${chosen.slug}`}
          className="grid gap-5 rounded-card border-2 border-action bg-card p-5 sm:p-6"
          preventScrollReset
        >
          <input type="hidden" name="place" value={placeId} />
          <input type="hidden" name="to" value={chosen.courseDateId} />
          <input type="hidden" name="date" value={chosen.date} />
          <input type="hidden" name="shown" value={shownCents} />
          <h2 className="text-2xl">{unbrokenTimes(chosen.when)}</h2>
          <p className="tabular">
            The move costs <b>{formatMoney(0)}</b>; the price stays {formatMoney(place.cents)} incl. GST.
            {!place.free &&
              ` It is your one free move. If you cancel later, it gives back at most what it gives back today: ${formatMoney(shownCents)}.`}
          </p>
          <p className="tabular">
            {chosen.decision}
            {chosen.waits && ' Until it is confirmed, nothing is due for this place.'}
          </p>
          <div>
            <h3 className="text-lg">If you cancel {combo && 'the combo '}after the move</h3>
            <Steps steps={chosen.steps} />
          </div>
          <Confirm label="Move to this date" busy={busy} />
        </Form>
      )}
    </ActPage>
  );
}
