import { Form, href, Link, useNavigation } from 'react-router';
import { readOwnOffers } from '#app/features/course-dates/queries.server.ts';
import { openChoice } from '#app/features/enrolments/may-change.ts';
import { courseDateWhere, placeWhen, shownDate } from '#app/features/enrolments/words.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FactRows } from '#app/ui/fact-rows.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/choose';
import { ActPage, Away, noFault } from './frame.tsx';
import { otherDates } from './other-dates.server.ts';
import { keepAsAsked } from './place-acts.server.ts';
import { actForBuyer, loadForBuyer, noLink } from './private-page.server.ts';

/** The answer to a date that the academy cancelled or moved (P100). */
export function loader({ context, params: { token, placeId } }: Route.LoaderArgs) {
  const { courseDates } = context.get(snapshotContext).current();
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const place = enrolment.places.find(({ id }) => String(id) === placeId);
    if (!place) throw noLink();
    const choice = openChoice(place, moment.today);
    const offered = await readOwnOffers(trx, enrolment.email);
    const charged = await chargedFor(trx, enrolment.id);
    return {
      token,
      placeId,
      who: place.attendee.name ?? 'To be named',
      title: place.courseTitle,
      when: placeWhen(place),
      date: place.courseDate ? shownDate(place.courseDate) : '',
      where: place.courseDate ? courseDateWhere(place.courseDate) : '',
      why: choice?.why ?? null,
      by: choice ? formatDay(choice.by) : '',
      backCents: charged(place.id),
      otherDate: otherDates(place, courseDates, { ...moment, offered }).free,
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, keepAsAsked);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Choose', 'Choose what happens to a place whose date we had to cancel or move.', noPage);

const formId = 'keep-form';

export default function Choose({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData) return <Away />;
  const { token, placeId, who, title, when, date, where, why, by, backCents, otherDate } = loaderData;
  const facts = (
    <FactRows
      rows={[
        ['Who', who],
        ['What', <Unbroken key="title" text={title} />],
        [why === 'course-date-moved' ? 'Now' : 'Date', when],
        ['Where', where],
      ]}
    />
  );
  if (why === null) {
    return (
      <ActPage
        title="There is nothing to choose"
        lead="You have chosen already, or the last day to choose is over."
        token={token}
      >
        {facts}
      </ActPage>
    );
  }
  const moved = why === 'course-date-moved';
  return (
    <ActPage
      title={moved ? 'We had to change this date' : 'We had to cancel this date'}
      lead={
        moved
          ? `We are sorry. You keep your place unless you choose otherwise by ${by}.`
          : `We are sorry. Please choose by ${by}. If you don’t choose by then, we cancel the place and refund all of it, ${formatMoney(backCents)}.`
      }
      token={token}
    >
      <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId={formId} />
      {facts}
      <ul className="grid gap-4">
        {moved && (
          <li className="grid gap-3 rounded-card border border-line bg-card p-5">
            <h2 className="text-xl">Keep your place</h2>
            <p>
              Price and invoice stay the same, and so does your free move. You don’t need to do anything to keep it.
            </p>
            <Form id={formId} method="post" preventScrollReset>
              <input type="hidden" name="place" value={placeId} />
              <input type="hidden" name="date" value={date} />
              <button type="submit" disabled={busy} className={button.primary}>
                Keep the place
              </button>
            </Form>
          </li>
        )}
        <li className="grid gap-3 rounded-card border border-line bg-card p-5">
          <h2 className="text-xl">Take another date</h2>
          {otherDate ? (
            <>
              <p>Free, and it does not use up your free move. The next page shows the dates and seats left.</p>
              <p>
                <Link
                  to={href('/enrolment/:token/transfer/:placeId', { token, placeId })}
                  className={moved ? button.quiet : button.primary}
                >
                  See the dates
                </Link>
              </p>
            </>
          ) : (
            <p>No other date of this course has a free seat now. We may set new dates before you have to choose.</p>
          )}
        </li>
        <li className="grid gap-3 rounded-card border border-line bg-card p-5">
          <h2 className="text-xl">Have a full refund</h2>
          <p className="tabular">
            {formatMoney(backCents)} incl. GST, all of it. The next page shows it again before you confirm.
          </p>
          <p>
            <Link to={`${href('/enrolment/:token/cancel', { token })}?place=${placeId}`} className={button.quiet}>
              Cancel this place
            </Link>
          </p>
        </li>
      </ul>
    </ActPage>
  );
}
