import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { findPlaced, type PlacedPage } from '#app/features/enrolments/enrolling/done.server.ts';
import { enrolmentPath } from '#app/features/enrolments/paths.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { returnWhenAway } from '#app/http/database-away.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { sendingOf } from '#app/outbox/sending.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { CalendarButtons } from '#app/ui/calendar-buttons.tsx';
import { MailAway } from '#app/ui/mail-away.tsx';
import { SentMail } from '#app/ui/sent-mail.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/done';
import { BowerBand } from './bower-band.tsx';
import { iconOf } from './course-icon.server.ts';
import { NoDraft } from './no-draft.tsx';
import { PayFacts } from './pay-facts.tsx';
import { withoutDraft } from './step-route.server.ts';

/** The page after enrolling, for as long as the draft's link is kept. */
export async function loader({ context, params: { draft } }: Route.LoaderArgs) {
  try {
    const placed = await findPlaced(context.get(academyContext), draft);
    if (!placed) return withoutDraft('gone');
    const icon = iconOf(context.get(snapshotContext).current(), placed.courseSlug);
    const byCard = context.get(stripeContext) !== null;
    const sending = await sendingOf(context.get(academyContext).db, { kind: 'enrolment-placed', to: placed.email });
    return { state: 'open' as const, placed, icon, byCard, sending, mailAway: await mailAwaySince(context) };
  } catch (error) {
    returnWhenAway(error);
    return withoutDraft('away');
  }
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'You are enrolled', 'Your enrolment, what we sent you, and what is due when.', noPage);

export default function Done({ loaderData }: Route.ComponentProps) {
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { reference, title, email, accountsEmail, accountsConfirmed, due, pay, laterCents, courses, link } =
    loaderData.placed;
  const { next, unnamed } = loaderData.placed;
  return (
    <>
      <BowerBand title="You are enrolled" icon={loaderData.icon}>
        <p className="mt-3 max-w-[38rem] text-on-satin-mute lg:text-lg">
          <b className="text-on-satin">
            <Unbroken text={title} />.
          </b>{' '}
          {loaderData.sending === 'refused' ? (
            <SentMail sending="refused" what="the confirmation" email={email} />
          ) : (
            <>
              The confirmation{due && ' and the tax invoice'} {sendingWords(due !== null, loaderData.mailAway)}{' '}
              <span className="wrap-anywhere">{email}</span>
              {due && accountsEmail && accountsConfirmed && (
                <>
                  , a copy of the invoice to <span className="wrap-anywhere">{accountsEmail}</span>
                </>
              )}
              .
            </>
          )}
        </p>
      </BowerBand>
      <div className="page grid gap-x-16 gap-y-10 py-7 lg:grid-cols-[minmax(0,1fr)_24rem] lg:py-10">
        <div className="min-w-0">
          <MailAway since={loaderData.mailAway} what="What we send you">
            You are still enrolled.
          </MailAway>
          <ol className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
            <Task className="sm:col-span-2" title={payTitle(loaderData.placed)}>
              {!due && <p className="mt-1">We’ll email your tax invoice when the course has a date.</p>}
              {(!pay?.by || due?.words.length !== 1) &&
                due?.words.map((words) => (
                  <p key={words} className="mt-1">
                    {words}
                  </p>
                ))}
              {pay && (
                <>
                  <p className="mt-1 text-mute">
                    {pay.by
                      ? 'By bank transfer, GST included. Quote the reference, so that we know the payment is yours.'
                      : 'You then pay to this account. Quote the reference, so that we know the payment is yours.'}{' '}
                    {link && (
                      <a
                        href={href('/enrolment/:token/document/:file', {
                          token: link,
                          file: `${pay.invoice.toLowerCase()}.pdf`,
                        })}
                        download
                        className={textLink}
                      >
                        Tax invoice {pay.invoice} (PDF)
                      </a>
                    )}
                  </p>
                  {loaderData.byCard && link && (
                    <p className="no-print mt-1">
                      <Link to={enrolmentPath(link)} reloadDocument className={textLink}>
                        Or pay by card
                      </Link>{' '}
                      on your enrolment’s page.
                    </p>
                  )}
                  <div className="mt-4 rounded-card border max-sm:-ml-9 max-[18rem]:ml-0 border-line bg-card px-4 py-1.5 sm:px-6">
                    <PayFacts {...pay} />
                  </div>
                </>
              )}
              {due && laterCents > 0 && (
                <p className="mt-3">
                  {formatMoney(laterCents)} more to pay: we invoice it when the other courses have a date.
                </p>
              )}
              {accountsEmail && !accountsConfirmed && (
                <p className="mt-3 text-mute">
                  We ask <b className="wrap-anywhere">{accountsEmail}</b> to confirm that they want your invoices. We
                  send copies once someone has pressed the button in that email.
                </p>
              )}
            </Task>
            <Task
              title={courses.some(({ calendar }) => calendar !== null) ? 'Put it in your calendar' : 'Your courses'}
            >
              <ul className="grid gap-4">
                {courses.map((course) => (
                  <li key={`${course.title} ${course.when}`} className="mt-1">
                    {courses.length > 1 && (
                      <b className="block">
                        <Unbroken text={course.title} />
                      </b>
                    )}
                    {[course.when, course.where, course.who, course.standing].map(
                      (line) =>
                        line && (
                          <span key={line} className="block text-mute">
                            {unbrokenTimes(line)}
                          </span>
                        ),
                    )}
                    {course.dated && course.calendar === null && (
                      <span className="block">Each attendee gets a calendar entry by email.</span>
                    )}
                    {course.calendar !== null && (
                      <CalendarButtons
                        file={
                          link &&
                          href('/enrolment/:token/place/:placeId/calendar.ics', {
                            token: link,
                            placeId: String(course.calendar),
                          })
                        }
                        links={course.links}
                      />
                    )}
                  </li>
                ))}
              </ul>
            </Task>
            <Task title="Keep your private page">
              <p className="mt-1 text-mute">
                {unnamed > 0
                  ? `Name the ${unnamed === 1 ? 'person' : `${unnamed} people`} still missing, change or cancel there. `
                  : 'See, change or cancel your enrolment there. '}
                The link is also in your email. Keep it private.
              </p>
              {link && (
                <Link to={enrolmentPath(link)} reloadDocument className={`${button.primary} no-print mt-3`}>
                  Open your enrolment
                </Link>
              )}
            </Task>
          </ol>
        </div>
        <section className="min-w-0">
          <h2 className="text-xl">What happens next</h2>
          <ol className="mt-4">
            {next.map(({ when, what }) => (
              <li key={when} className="relative border-l-2 border-line pb-5 pl-6 last:border-transparent last:pb-0">
                <span
                  className={`absolute top-1.5 -left-1.75 size-3 rounded-full border-2 ${when === 'Today' ? 'border-action bg-action' : 'border-edge bg-paper'}`}
                />
                <b className="block">{when}</b>
                {what.map((line) => (
                  <span key={line} className="block text-[0.9375rem] text-mute">
                    {line}
                  </span>
                ))}
              </li>
            ))}
          </ol>
          <p className="mt-6 text-sm text-mute">
            Enrolment <b className="tabular text-ink">{reference}</b>.{' '}
            <Link to={href('/')} className={textLink}>
              Return to Home
            </Link>
          </p>
        </section>
      </div>
    </>
  );
}

const textLink = 'font-bold text-link underline underline-offset-4';

/** The amount to pay and its due day, as a heading. */
function payTitle({ due, pay }: PlacedPage): string {
  if (!due) return 'Nothing to pay yet';
  if (!pay) return 'Nothing to pay';
  return pay.by ? `Pay ${formatMoney(pay.amountCents)} by ${pay.by}` : 'Nothing to pay before the date is confirmed';
}

/** One thing to do now, numbered. */
function Task({ title, className = '', children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <li className={`grid min-w-0 grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 [counter-increment:task] ${className}`}>
      <span
        aria-hidden="true"
        className="font-display text-xl leading-7 font-bold text-link before:content-[counter(task)]"
      />
      <div className="min-w-0">
        <h2 className="text-xl leading-7">{title}</h2>
        {children}
      </div>
    </li>
  );
}

/** How confirmation and invoice go out: on their way, or once the mail server answers. */
function sendingWords(withInvoice: boolean, mailAway: string | null): string {
  if (mailAway !== null) return withInvoice ? 'go to' : 'goes to';
  return withInvoice ? 'are on the way to' : 'is on the way to';
}
