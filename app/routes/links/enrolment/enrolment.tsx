import { href, Link } from 'react-router';
import { readActs } from '#app/features/companies/acts.server.ts';
import { readOwnOffers } from '#app/features/course-dates/queries.server.ts';
import { readMoneyRecords } from '#app/features/enrolments/account.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { recordOpening } from '#app/features/enrolments/links.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { takenByCard } from '#app/features/money/card/payable.server.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { cardPayments } from '#app/features/money/open-invoice.ts';
import { comboRule } from '#app/features/money/refund.ts';
import { withPrivateDates } from '#app/features/snapshot/private-dates.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { formatDay } from '#app/lib/dates.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { BowerBand } from '#app/routes/enrol/bower-band.tsx';
import { iconOf } from '#app/routes/enrol/course-icon.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/enrolment';
import { Away, textLink } from './frame.tsx';
import { Documents, PayCard } from './money-section.tsx';
import { noSeatOf, otherDates } from './other-dates.server.ts';
import { PlaceGroupSection, RefundByDay } from './place-group-section.tsx';
import { comboRefunds, isTaken, placeGroups } from './place-groups.ts';
import { loadForBuyer } from './private-page.server.ts';
import type { Done } from './take-buyer-act.server.ts';

/** The buyer's page (P32). Reading it changes nothing but when it was opened first. */
export async function loader({ context, request, params: { token }, url }: Route.LoaderArgs) {
  const done = url.searchParams.get('done');
  const mailAway = done === null ? null : await mailAwaySince(context);
  const snapshot = context.get(snapshotContext).current();
  const { texts, courseDates } = snapshot;
  const found = await loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const { reference, title, buyerName, organisation, email, phone, places, accountsEmail } = enrolment;
    const { abn, purchaseOrder, address } = enrolment;
    const belongs = enrolment.organisationId !== null;
    const { academy } = moment;
    const money = await readMoneyRecords(trx, enrolment, moment.now);
    const offered = await readOwnOffers(trx, email);
    const ownDates = await withPrivateDates(
      trx,
      snapshot,
      places.map(({ courseDate }) => courseDate?.id),
    );
    const refunding = { ...moment, charged: await chargedFor(trx, enrolment.id), balanceCents: money.balanceCents };
    return {
      token,
      enrolment: {
        reference,
        title,
        buyerName,
        organisation,
        email,
        phone: shownPhone(phone),
        purchaseOrder,
        address,
        belongs,
      },
      acts: belongs ? await readActs(trx, { enrolmentId: enrolment.id }) : [],
      abn: abn && formatAbn(abn),
      icon: iconOf(snapshot, places[0]?.courseSlug ?? ''),
      copiesTo: accountsEmail && `${accountsEmail}${enrolment.accountsConfirmed ? '' : ' (not confirmed yet)'}`,
      asked: accountsEmail !== null && !enrolment.accountsConfirmed,
      groups: placeGroups(enrolment, {
        ...refunding,
        attending: texts.attending,
        otherDates: (place) => otherDates(place, courseDates, { ...moment, offered }),
        noSeat: (place) => noSeatOf(place, ownDates, { ...moment, listed: courseDates }),
      }),
      combos: comboRefunds(enrolment, refunding),
      ended: places
        .filter((place) => !isTaken(place, moment.today) && place.cancelledWhy !== 'transfer')
        .map((place) => ({
          id: place.id,
          who: place.attendee.name,
          title: place.courseTitle,
          what: endOf(place),
        })),
      money,
      byCard:
        context.get(stripeContext) === null
          ? []
          : takenByCard(cardPayments(money.balanceCents, money.open, moment.today)),
      today: moment.today,
      phone: academy.phone,
      done,
      mailAway,
    };
  });
  await recordOpening(context.get(academyContext), request, { token, what: 'page' });
  return found;
}

function endOf({ state, cancelledWhy, guidedFrom }: Place): string | undefined {
  if (state === 'cancelled') return endings[cancelledWhy ?? ''];
  return guidedFrom === null ? 'Completed' : `Access ended on ${formatDay(accessEndsOn(guidedFrom))}`;
}

const endings: Record<string, string> = {
  buyer: 'Cancelled by you',
  staff: 'Cancelled by us',
  courseDate: 'Refunded, because we cancelled or moved its date',
};

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    at.loaderData ? `Your enrolment: ${at.loaderData.enrolment.title}` : 'Your enrolment',
    'See, change or cancel your enrolment. Keep the address of this page private.',
    noPage,
  );

const dones: Record<Done, string> = {
  cancelled: 'It is cancelled. We’ll email you a confirmation, with the adjustment note if the invoice changed.',
  moved: 'The place is on its new date. We’ll email you a confirmation with an updated calendar entry.',
  kept: 'You keep the place.',
  named: 'We saved who attends.',
  'kept-free': 'They get no seat. It stays free.',
  added: 'One more person attends. We’ll email your invoice.',
  corrected: 'Your details are corrected. If there is a new invoice, we’ll email it.',
  given: 'It belongs to your organisation now. Its managers see and change it too.',
  asked: 'We asked the managers of your organisation. We’ll email you their answer.',
};

export default function EnrolmentPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, enrolment, icon, groups, combos, ended, money, byCard, today, done } = loaderData;
  const said = Object.entries(dones).find(([name]) => name === done)?.[1];
  const held = groups.some(({ choose }) => choose?.why !== 'course-date-cancelled');
  const [first, ...others] = groups;
  const only = first && others.length === 0 ? first : null;
  return (
    <>
      <BowerBand title={enrolment.title} icon={icon} small>
        <p className="tabular mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-on-satin-mute">
          {only?.standing === 'Confirmed' && (
            <span className="rounded-full bg-satin-line px-3 py-0.5 text-sm font-semibold text-on-satin">
              Confirmed
            </span>
          )}
          {only && <b className="text-on-satin">{unbrokenTimes(only.when)}</b>}
          {only?.where && <span>{only.where}</span>}
          <span>{enrolment.reference}</span>
        </p>
      </BowerBand>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 py-7 lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] lg:py-10">
        {said && (
          <div className="lg:col-span-2">
            <p role="status" className="rounded-card border-2 border-action bg-card p-5 font-semibold">
              {said}
            </p>
            <MailAway since={loaderData.mailAway} />
          </div>
        )}
        <div className="min-w-0 lg:col-start-2">
          <PayCard money={money} today={today} choosing={groups.length > 0 && !held} token={token} byCard={byCard} />
        </div>
        <div
          className={`grid min-w-0 content-start gap-10 lg:col-start-1 lg:row-span-2 ${said ? 'lg:row-start-2' : 'lg:row-start-1'}`}
        >
          {groups.map((group) => (
            <PlaceGroupSection key={group.places[0].id} group={group} token={token} only={only !== null} />
          ))}
          {groups.length === 0 && (
            <p className="max-w-prose text-lg">No place is left in this enrolment. Its documents stay here.</p>
          )}
          {combos.length > 0 && (
            <section>
              <h2 className="text-2xl">If you cancel the combo</h2>
              <p className="mt-2 max-w-prose">{comboRule}</p>
              {combos.map(({ people, refund }) => (
                <RefundByDay key={refund.words} refund={refund} each={people > 1} />
              ))}
              <p className="no-print mt-4">
                <Link to={href('/enrolment/:token/cancel', { token })} className={button.quiet}>
                  Cancel the combo
                </Link>
              </p>
            </section>
          )}
          {others.length > 0 && groups.some(({ refund }) => refund !== null) && combos.length === 0 && (
            <p className="no-print">
              <Link to={href('/enrolment/:token/cancel', { token })} className={button.quiet}>
                Cancel several places
              </Link>
            </p>
          )}
          {ended.length > 0 && (
            <section>
              <h2 className="text-xl">Cancelled or completed</h2>
              <ul className="mt-3 grid gap-2">
                {ended.map(({ id, who, title, what }) => (
                  <li key={id}>
                    <b>{who ?? 'Not named'}</b>, <Unbroken text={title} />: {what}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <aside aria-label="Documents and details" className="grid min-w-0 content-start gap-8 lg:col-start-2">
          <Documents money={money} token={token} />
          <PayerSection {...loaderData} />
        </aside>
      </div>
    </>
  );
}

type Shown = NonNullable<Route.ComponentProps['loaderData']>;

/** The person to whom the invoice is made out, with the form to correct it, and whom to ask (P30, P32). */
function PayerSection({ token, enrolment, abn, copiesTo, asked, acts, phone }: Shown) {
  return (
    <section>
      <h2 className="text-xl">Invoice to</h2>
      <dl className="tabular mt-3 grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-5 gap-y-1 text-[0.9375rem]">
        {(
          [
            ['Organisation', enrolment.organisation],
            ['ABN', abn],
            ['Purchase order', enrolment.purchaseOrder],
            ['Name', enrolment.buyerName],
            ['Email', enrolment.email],
            ['Phone', enrolment.phone],
            ['Address', enrolment.address],
            ['Copies to', copiesTo],
          ] as const
        ).map(
          ([name, value]) =>
            value && (
              <div key={name} className="col-span-2 grid grid-cols-subgrid">
                <dt className="text-mute">{name}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {asked && (
        <p className="mt-3 text-[0.9375rem]">
          We asked that address by email to confirm that it wants your invoices. It gets them once somebody there has
          pressed the button in our email. No email there? Call {phone}.
        </p>
      )}
      <p className="no-print mt-3">
        <Link to={href('/enrolment/:token/details', { token })} className={textLink}>
          Correct these details
        </Link>
      </p>
      {enrolment.organisation && (
        <p className="no-print mt-3">
          <Link to={href('/enrolment/:token/organisation', { token })} className={textLink}>
            {enrolment.belongs ? 'It belongs to your organisation' : 'Share it with your organisation'}
          </Link>
        </p>
      )}
      {acts.length > 0 && (
        <details className="no-print mt-3">
          <summary className={`${textLink} inline-flex min-h-11 cursor-pointer items-center`}>Who changed what</summary>
          <ul className="mt-1 grid gap-1 text-sm">
            {acts.map(({ id, by, did, at }) => (
              <li key={id}>
                {at}: <b>{by}</b> {did}
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className="mt-6 text-sm text-mute">
        Anyone with this page’s address can change or cancel the enrolment, so keep it private. Nothing here limits your
        rights under the Australian Consumer Law. Here are the{' '}
        <Link to={href('/enrolment/:token/terms', { token })} className={textLink}>
          terms you accepted
        </Link>
        . Questions? Call {phone}, or reply to any of our emails.
      </p>
    </section>
  );
}
