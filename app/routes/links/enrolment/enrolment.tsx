import { href, Link } from 'react-router';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { canPayByCard, stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FactRows } from '#app/ui/fact-rows.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/enrolment';
import { Away, textLink } from './frame.tsx';
import { readMoneyRecords } from './money-records.server.ts';
import { MoneySection } from './money-section.tsx';
import { hasOtherDate } from './other-dates.server.ts';
import { PlaceGroupSection } from './place-group-section.tsx';
import { isTaken, placeGroups } from './place-groups.ts';
import { loadForBuyer } from './private-page.server.ts';
import type { Done } from './take-buyer-act.server.ts';

/** The buyer's page (P32). Reading it changes nothing. */
export async function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  const done = url.searchParams.get('done');
  const mailAway = done === null ? null : await mailAwaySince(context);
  const { texts, sessions } = context.get(snapshotContext).current();
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const { reference, title, buyerName, organisation, email, phone, places, accountsEmail } = enrolment;
    const { academy } = moment;
    const money = await readMoneyRecords(trx, enrolment);
    return {
      token,
      enrolment: { reference, title, buyerName, organisation, email, phone },
      copiesTo: accountsEmail && `${accountsEmail}${enrolment.accountsConfirmed ? '' : ' (not confirmed yet)'}`,
      asked: accountsEmail !== null && !enrolment.accountsConfirmed,
      groups: placeGroups(enrolment, await chargedFor(trx, enrolment.id), {
        ...moment,
        attending: texts.attending,
        hasOtherDate: (place) => hasOtherDate(place, sessions, moment.today),
      }),
      ended: places
        .filter((place) => !isTaken(place, moment.today) && place.cancelledWhy !== 'transfer')
        .map((place) => ({
          id: place.id,
          who: place.attendee.name,
          title: place.courseTitle,
          what: endOf(place),
        })),
      money,
      byCard: context.get(stripeContext) !== null && canPayByCard(money.balanceCents),
      today: moment.today,
      phone: academy.phone,
      done,
      mailAway,
    };
  });
}

function endOf({ state, cancelledWhy, guidedFrom }: Place): string | undefined {
  if (state === 'cancelled') return endings[cancelledWhy ?? ''];
  return guidedFrom === null ? 'Completed' : `Access ended on ${formatDay(accessEndsOn(guidedFrom))}`;
}

const endings: Record<string, string> = {
  buyer: 'Cancelled by you',
  staff: 'Cancelled by our staff',
  session: 'Cancelled with its date',
  lapsed: 'Refunded, because no answer came',
};

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Your enrolment',
    'See, change or cancel your enrolment. Keep the address of this page to yourself.',
    noPage,
  );

const dones: Record<Done, string> = {
  cancelled: 'It is cancelled. An e-mail confirms it, with the adjustment note if the invoice changed.',
  moved: 'The place is on its new date. An e-mail confirms it and corrects the calendar.',
  kept: 'You keep the place.',
  named: 'Who attends is stored.',
  added: 'One more person attends. An e-mail brings the invoice.',
  corrected: 'Your details are corrected. An e-mail brings the new invoice if there is one.',
};

export default function EnrolmentPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, enrolment, copiesTo, asked, groups, ended, money, byCard, today, phone, done } = loaderData;
  const said = Object.entries(dones).find(([name]) => name === done)?.[1];
  const held = groups.some(({ choose }) => choose?.why !== 'session-cancelled');
  const cancellable = groups.some((group) => group.cancellable);
  return (
    <>
      <PageHead
        title="Your enrolment"
        lead="Whoever knows the address of this page can change or cancel the enrolment, so keep it to yourself."
      />
      <div className="page grid gap-x-14 gap-y-12 py-10 lg:grid-cols-[minmax(0,1fr)_26rem] lg:py-14">
        <div className="grid min-w-0 content-start gap-10">
          {said && (
            <p role="status" className="rounded-card border-2 border-action bg-card p-5 font-semibold">
              {said}
            </p>
          )}
          {said && <MailAway since={loaderData.mailAway} />}
          {groups.map((group) => (
            <PlaceGroupSection key={group.places[0].id} group={group} token={token} />
          ))}
          {groups.length === 0 && (
            <p className="max-w-prose text-lg">No place is left in this enrolment. Its documents stay here.</p>
          )}
          {groups.length > 0 && (
            <div className="no-print flex flex-wrap gap-3">
              {held && (
                <Link to={href('/enrolment/:token/add', { token })} className={button.quiet}>
                  Add an attendee
                </Link>
              )}
              {cancellable && (
                <Link to={href('/enrolment/:token/cancel', { token })} className={button.quiet}>
                  Cancel places
                </Link>
              )}
            </div>
          )}
          {ended.length > 0 && (
            <section>
              <h2 className="text-2xl">No longer taken</h2>
              <ul className="mt-4 grid gap-2">
                {ended.map(({ id, who, title, what }) => (
                  <li key={id}>
                    <b>{who ?? 'Not named'}</b>, <Unbroken text={title} />: {what}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <aside aria-label="Money and details" className="grid content-start gap-10">
          <MoneySection
            money={money}
            today={today}
            choosing={groups.length > 0 && !held}
            token={token}
            byCard={byCard}
          />
          <section>
            <h2 className="text-2xl">Who enrolled</h2>
            <div className="mt-4">
              <FactRows
                rows={[
                  ['Reference', enrolment.reference],
                  ['What', <Unbroken key="title" text={enrolment.title} />],
                  ['Name', enrolment.buyerName],
                  ['Organisation', enrolment.organisation],
                  ['Email', enrolment.email],
                  ['Phone', enrolment.phone],
                  ['Invoice copies to', copiesTo],
                ]}
              />
            </div>
            {asked && (
              <p className="mt-4">
                We asked that address by e-mail to confirm that it wants your invoices. It gets them once somebody there
                has pressed the button in our e-mail. No e-mail there? Telephone {phone}.
              </p>
            )}
            <p className="no-print mt-4">
              <Link to={href('/enrolment/:token/details', { token })} className={textLink}>
                Correct these details
              </Link>
            </p>
          </section>
          <p className="text-mute">
            Questions? Telephone {phone}, or reply to any of our e-mails. Your rights under the Australian Consumer Law
            come before these{' '}
            <Link to={href('/terms')} className={textLink}>
              terms
            </Link>
            .
          </p>
        </aside>
      </div>
    </>
  );
}
