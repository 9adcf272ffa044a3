import { href, Link } from 'react-router';
import { enrolmentPath } from '#app/features/enrolments/paths.ts';
import { passUnlessAway } from '#app/http/database-away.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { MailAway } from '#app/ui/mail-away.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/done';
import { findPlaced } from './done.server.ts';
import { NoDraft } from './no-draft.tsx';
import { deskOf, withoutDraft } from './step-route.server.ts';

/** What was placed from a draft, for as long as the draft's link is kept. */
export async function loader({ context, params: { draft }, url }: Route.LoaderArgs) {
  const { db } = deskOf(context);
  try {
    const placed = await findPlaced(db, { draft, link: url.searchParams.get('link') });
    return placed ? { state: 'open' as const, placed, mailAway: await mailAwaySince(context) } : withoutDraft('gone');
  } catch (error) {
    passUnlessAway(error);
    return withoutDraft('away');
  }
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'You are enrolled', 'Your enrolment, what was sent, and what is due when.', noPage);

export default function Done({ loaderData }: Route.ComponentProps) {
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { reference, title, email, accountsEmail, accountsConfirmed, due, laterCents, courses, link } =
    loaderData.placed;
  return (
    <>
      <PageHead title="You are enrolled" lead={<Unbroken text={title} />} />
      <div className="page grid gap-x-14 gap-y-10 py-12 lg:grid-cols-[minmax(0,1fr)_30rem] lg:py-16">
        <div>
          <MailAway since={loaderData.mailAway} what="What we send you">
            Your enrolment stands all the same.
          </MailAway>
          <p className="text-mute">Your reference</p>
          <p className="tabular mt-1 font-display text-5xl font-bold tracking-tight">{reference}</p>
          <ul className="mt-6 grid max-w-prose list-disc gap-3 pl-5">
            <li>
              The confirmation{due && ' and the tax invoice'} {sendingWords(due !== null, loaderData.mailAway)}{' '}
              <b className="wrap-anywhere">{email}</b>
              {due && accountsEmail && accountsConfirmed && (
                <>
                  , a copy of the invoice to <b className="wrap-anywhere">{accountsEmail}</b>
                </>
              )}
              .
            </li>
            {accountsEmail && !accountsConfirmed && (
              <li>
                We ask <b className="wrap-anywhere">{accountsEmail}</b> to confirm that it wants your invoices. Copies
                go there once somebody has pressed the button in that e-mail.
              </li>
            )}
            {due ? (
              due.words.map((words) => <li key={words}>{words} The account and the reference are on the invoice.</li>)
            ) : (
              <li>Nothing is owed until a course has a date.</li>
            )}
            {due && laterCents > 0 && (
              <li>{formatMoney(laterCents)} more is invoiced once the other courses have a date.</li>
            )}
            <li>Each attendee with an e-mail address gets a link of their own, with dates and how to join.</li>
          </ul>
          {link && (
            <p className="mt-6 max-w-prose">
              Your private link, to see, change or cancel:{' '}
              <Link
                to={enrolmentPath(link)}
                reloadDocument
                className="font-bold text-link underline underline-offset-4"
              >
                your enrolment
              </Link>
              . It is in the e-mail too; keep it to yourself.
            </p>
          )}
          <div className="no-print mt-8 flex flex-wrap gap-3">
            <Link to={href('/')} className={button.primary}>
              Return to Home
            </Link>
          </div>
        </div>
        <section className="self-start rounded-card border border-line bg-card p-5 sm:p-6">
          <h2 className="text-xl">What you enrolled in</h2>
          <ul className="mt-4 grid gap-5">
            {courses.map((course) => (
              <li key={`${course.title} ${course.when}`}>
                <b className="block">
                  <Unbroken text={course.title} />
                </b>
                {[course.when, course.where, course.who, course.standing].map(
                  (line) =>
                    line && (
                      <span key={line} className="block text-mute">
                        {line}
                      </span>
                    ),
                )}
                {course.session && (
                  <a
                    href={href('/training-calendar/:sessionId/session.ics', { sessionId: course.session })}
                    download
                    className={`${button.quiet} no-print mt-3`}
                  >
                    Add to calendar (.ics)
                  </a>
                )}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

/** How confirmation and invoice go out: on their way, or once the mail server answers. */
function sendingWords(withInvoice: boolean, mailAway: string | null): string {
  if (mailAway !== null) return withInvoice ? 'go to' : 'goes to';
  return withInvoice ? 'are on the way to' : 'is on the way to';
}
