import { Form, href, useNavigation } from 'react-router';
import { readCancellation } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { hasPaid, raiseRows, reasonOf } from '#app/features/enrolments/cancellation-words.ts';
import { placeWhen } from '#app/features/enrolments/words.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf, splitCredit } from '#app/features/money/balance.ts';
import { formatMoney } from '#app/lib/money.ts';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/cancel';
import { ActPage, Away, Confirm, noFault } from './frame.tsx';
import { cancelAsAsked } from './place-acts.server.ts';
import { isCancellable } from './place-groups.ts';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';

/** The places that can be cancelled; the chosen ones with the refund for each (P31). */
export function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const open = enrolment.places.filter((place) => isCancellable(place, moment.today));
    const asked = url.searchParams.getAll('place');
    const named = open.filter(({ id }) => open.length === 1 || asked.includes(String(id)));
    const plan = await readCancellation(trx, enrolment, named, moment);
    const totalCents = plan.backCents;
    const account = await accountOf(trx, enrolment.id);
    const paid = hasPaid(account);
    return {
      token,
      places: open.map((place) => {
        const refund = plan.credits.find(({ placeId }) => placeId === place.id);
        return {
          id: place.id,
          who: place.attendee.name ?? 'To be named',
          title: place.courseTitle,
          when: placeWhen(place),
          refund: refund
            ? { cents: refund.cents, reason: reasonOf(enrolment, place, { plan, paid, today: moment.today }) }
            : null,
        };
      }),
      raises: raiseRows(enrolment, plan),
      totalCents,
      ...splitCredit(balanceOf(account), totalCents),
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, cancelAsAsked);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Cancel places', 'What we refund when you cancel places of your enrolment.', noPage);

const formId = 'cancel-form';

export default function Cancel({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData) return <Away />;
  const { token, places, raises, totalCents, refundCents, stillOwedCents } = loaderData;
  const named = places.filter(({ refund }) => refund !== null);
  const path = href('/enrolment/:token/cancel', { token });
  const effect = effectOf(totalCents, refundCents);
  return (
    <ActPage
      title={places.length === 1 ? 'Cancel the place' : 'Cancel places'}
      lead="We cancel nothing before you confirm it below."
      token={token}
    >
      <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId={formId} />
      {places.length === 0 && <p>There is no place left to cancel.</p>}
      {places.length > 1 && (
        <Form method="get" action={path} className="grid gap-3">
          <fieldset className="grid gap-3">
            <legend className="mb-3 font-display text-xl font-bold">Which places?</legend>
            {places.map(({ id, who, title, when, refund }) => (
              <label key={id} className="flex gap-3 rounded-card border border-line bg-card p-4">
                <input
                  type="checkbox"
                  name="place"
                  value={id}
                  defaultChecked={refund !== null}
                  className="mt-1 size-5 shrink-0 accent-action"
                />
                <span className="min-w-0">
                  <b>{who}</b>
                  <span className="block">
                    <Unbroken text={title} />
                  </span>
                  <span className="block text-mute">{unbrokenTimes(when)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <div>
            <button type="submit" className={named.length === 0 ? button.primary : button.quiet}>
              Show what changes
            </button>
          </div>
        </Form>
      )}
      {named.length > 0 && (
        <Form
          id={formId}
          method="post"
          action={`${path}?${new URLSearchParams(named.map(({ id }) => ['place', String(id)]))}`}
          className="grid gap-5 rounded-card border-2 border-action bg-card p-5 sm:p-6"
          preventScrollReset
        >
          <input type="hidden" name="places" value={named.map(({ id }) => id).join()} />
          <input type="hidden" name="shown" value={totalCents} />
          <h2 className="text-2xl">
            {totalCents < 0 ? 'What you pay extra' : refundCents > 0 ? 'Your refund' : 'What you no longer owe'}
          </h2>
          <ul className="tabular grid gap-3">
            {named.map(({ id, who, title, when, refund }) => (
              <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line pb-3">
                <span>
                  <b>{who}</b>, <Unbroken text={title} />
                  <span className="block text-mute">{unbrokenTimes(when)}</span>
                  <span className="block text-mute">{refund?.reason}</span>
                </span>
                <b className="text-right">{formatMoney(refund?.cents ?? 0)}</b>
              </li>
            ))}
            {raises.map(({ placeId, label, now, more, invoiced }) => (
              <li
                key={`raise-${placeId}`}
                className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line pb-3"
              >
                <span>
                  <Unbroken text={label} /> then costs {now}
                  <span className="block text-mute">
                    The combo’s discount no longer applies to it.
                    {!invoiced && ` It has no date yet: we invoice the ${more} more when it has one.`}
                  </span>
                </span>
                <b className="text-right">{invoiced ? `−${more}` : 'later'}</b>
              </li>
            ))}
          </ul>
          <p className="tabular flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-bold">{totalCents < 0 ? 'Together, extra to pay' : 'Together'}</span>
            <b className="font-display text-3xl">{formatMoney(Math.abs(totalCents))}</b>
          </p>
          <p className="text-mute">
            {outcome(
              totalCents,
              refundCents,
              stillOwedCents,
              raises.some(({ invoiced }) => invoiced),
            )}
          </p>
          <Confirm
            label={`Cancel ${named.length === 1 ? 'this place' : `${named.length} places`}: ${effect}`}
            busy={busy}
            look="danger"
          />
        </Form>
      )}
    </ActPage>
  );
}

/** The label of the button: the refund, or the amount by which the debt falls. */
function effectOf(totalCents: number, refundCents: number): string {
  if (totalCents < 0) return `${formatMoney(-totalCents)} more to pay`;
  if (totalCents === 0) return 'no refund';
  if (refundCents === totalCents) return `${formatMoney(totalCents)} refunded`;
  return refundCents === 0 ? `${formatMoney(totalCents)} less to pay` : `${formatMoney(totalCents)} credited`;
}

function outcome(totalCents: number, refundCents: number, stillOwedCents: number, raised: boolean): string {
  if (totalCents < 0 || (totalCents === 0 && raised)) {
    const owed = stillOwedCents > 0 ? ` Then you owe ${formatMoney(stillOwedCents)} in all.` : '';
    return `GST included. We’ll email the tax invoice for the courses you keep.${owed}`;
  }
  if (totalCents === 0) {
    const owed = stillOwedCents > 0 ? `: ${formatMoney(stillOwedCents)} is still to pay` : '';
    return `Any invoice stays as it is${owed}.`;
  }
  const paid =
    refundCents > 0 ? ` ${formatMoney(refundCents)} of what you paid: we refund it to where it came from.` : '';
  const owed =
    stillOwedCents > 0
      ? ` ${formatMoney(stillOwedCents)} is still to pay.`
      : refundCents > 0
        ? ''
        : ' You have paid nothing for it yet, and after this you owe nothing.';
  const documents = raised
    ? 'We’ll email an adjustment note, and a tax invoice for the courses you keep.'
    : 'We’ll send an adjustment note for this amount.';
  return `GST included. ${documents}${paid}${owed}`;
}
