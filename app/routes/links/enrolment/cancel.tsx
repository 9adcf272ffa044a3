import { Form, href, useNavigation } from 'react-router';
import { mayCancel, minimumBroken, minimumText } from '#app/features/enrolments/may-change.ts';
import { planCancellation, purchasesOf } from '#app/features/enrolments/purchases.ts';
import { refundLines, settledAs } from '#app/features/enrolments/refund-lines.ts';
import { placeWhen } from '#app/features/enrolments/words.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
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
import { cancelAsAsked, placeIdsOf } from './place-acts.server.ts';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';

/**
 * The purchases that can be cancelled, a combo as a whole, and the refund of the chosen ones, line by line (P31, P99).
 */
export function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const { today } = moment;
    const open = purchasesOf(enrolment, today).filter(
      ({ goes }) => goes.length > 0 && goes.every((place) => mayCancel(enrolment, place, 'buyer', today) === 'yes'),
    );
    const asked = url.searchParams.getAll('place').flatMap(placeIdsOf);
    const chosen = open.filter(({ goes }) => open.length === 1 || goes.some(({ id }) => asked.includes(id)));
    const placeIds = chosen.flatMap(({ goes }) => goes.map(({ id }) => id));
    const charged = await chargedFor(trx, enrolment.id);
    const plan = planCancellation(enrolment, { placeIds, charged }, moment);
    if (!plan) throw new Error('a purchase is cancelled as a whole');
    const { stays } = chosen[0] ?? { stays: [] };
    const minimum = minimumBroken(
      chosen.flatMap(({ goes }) => goes),
      today,
    );
    return {
      token,
      nothingTicked: url.searchParams.has('show') && chosen.length === 0,
      tooFew: minimum && minimumText(minimum),
      combo: enrolment.comboId !== null,
      bought: open.map((one) => {
        const { combo, goes } = one;
        const [place] = goes;
        return {
          value: goes.map(({ id }) => id).join(),
          combo,
          who: place?.attendee.name ?? 'To be named',
          title: combo ? enrolment.title : (place?.courseTitle ?? ''),
          when: combo || !place ? goes.map(({ courseTitle }) => courseTitle).join(', ') : placeWhen(place),
          lines: chosen.includes(one) ? refundLines(enrolment, plan.refunds[chosen.indexOf(one)] ?? nothing) : null,
        };
      }),
      stays: stays.map(({ courseTitle }) => courseTitle),
      totalCents: plan.cents,
      ...splitCredit(balanceOf(await accountOf(trx, enrolment.id)), plan.cents),
    };
  });
}

const nothing = { courses: [], begun: { ids: [], cents: 0 } };

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, cancelAsAsked);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Cancel', 'What we refund when you cancel places of your enrolment.', noPage);

const formId = 'cancel-form';

export default function Cancel({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData) return <Away />;
  const { token, nothingTicked, tooFew, combo, bought, stays, totalCents, refundCents, stillOwedCents } = loaderData;
  const chosen = bought.filter(({ lines }) => lines !== null);
  const path = href('/enrolment/:token/cancel', { token });
  const what = chosen.length > 1 ? `these ${chosen.length}` : chosen[0]?.combo ? 'the combo' : 'this place';
  return (
    <ActPage
      title={combo ? 'Cancel the combo' : bought.length === 1 ? 'Cancel the place' : 'Cancel places'}
      lead="We cancel nothing before you confirm it below."
      token={token}
    >
      <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId={formId} />
      {bought.length === 0 && (
        <p>{combo ? 'Every course of the combo has begun.' : 'There is no place left to cancel.'}</p>
      )}
      {bought.length > 1 && (
        <Form method="get" action={path} className="grid gap-3">
          <fieldset className="grid gap-3">
            <legend className="mb-3 font-display text-xl font-bold">What do you want to cancel?</legend>
            {bought.map(({ value, who, title, when, lines }) => (
              <label key={value} className="flex gap-3 rounded-card border border-line bg-card p-4">
                <input
                  type="checkbox"
                  name="place"
                  value={value}
                  defaultChecked={lines !== null}
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
          {nothingTicked && (
            <p role="alert" className="font-semibold text-fault">
              Tick what you want to cancel.
            </p>
          )}
          <div>
            <button
              type="submit"
              name="show"
              value="changes"
              className={chosen.length === 0 ? button.primary : button.quiet}
            >
              Show what changes
            </button>
          </div>
        </Form>
      )}
      {tooFew && (
        <p role="alert" className="max-w-prose font-semibold text-fault">
          {tooFew}
        </p>
      )}
      {chosen.length > 0 && !tooFew && (
        <Form
          id={formId}
          method="post"
          action={`${path}?${new URLSearchParams(chosen.map(({ value }) => ['place', value]))}`}
          className="grid gap-5 rounded-card border-2 border-action bg-card p-5 sm:p-6"
          preventScrollReset
        >
          <input type="hidden" name="places" value={chosen.map(({ value }) => value).join()} />
          <input type="hidden" name="shown" value={totalCents} />
          <h2 className="text-2xl">{refundCents > 0 ? 'Your refund' : 'What you no longer owe'}</h2>
          {chosen.map(({ value, combo: whole, who, title, when, lines }) => (
            <section key={value} className="tabular grid gap-3">
              <p>
                <b>{who}</b>, <Unbroken text={title} />
                {!whole && <span className="block text-mute">{unbrokenTimes(when)}</span>}
              </p>
              <ul className="grid gap-3">
                {lines?.map(({ label, cents, reason }) => (
                  <li key={label} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line pb-3">
                    <span>
                      {label !== title && (
                        <span className="block">
                          <Unbroken text={label} />
                        </span>
                      )}
                      <span className="text-mute">{reason}</span>
                    </span>
                    <b className="text-right">{cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents)}</b>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <p className="tabular flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-bold">Together</span>
            <b className="font-display text-3xl">{formatMoney(totalCents)}</b>
          </p>
          {stays.length > 0 && <p>You keep {stays.join(' and ')}.</p>}
          <p className="text-mute">{outcome({ totalCents, refundCents, stillOwedCents })}</p>
          <Confirm
            label={`Cancel ${what}: ${totalCents === 0 ? 'no refund' : `${formatMoney(totalCents)} ${settledAs(totalCents, refundCents)}`}`}
            busy={busy}
            look="danger"
          />
        </Form>
      )}
    </ActPage>
  );
}

type Settled = { totalCents: number; refundCents: number; stillOwedCents: number };

function outcome({ totalCents, refundCents, stillOwedCents }: Settled): string {
  const owed = `${formatMoney(stillOwedCents)} is still to pay.`;
  if (totalCents === 0) return `Any invoice stays as it is${stillOwedCents > 0 ? `: ${owed}` : '.'}`;
  return [
    'GST included. We’ll email an adjustment note for this amount.',
    ...(refundCents > 0 ? [`${formatMoney(refundCents)} of what you paid: we refund it to where it came from.`] : []),
    ...(stillOwedCents > 0 ? [owed] : []),
    ...(refundCents === 0 && stillOwedCents === 0 ? ['After this you owe nothing.'] : []),
  ].join(' ');
}
