import { data, Form, href, redirect } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { staffContext } from '#app/features/accounts/staff-only.server.ts';
import { enquiriesContext } from '#app/features/enquiries/submit.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { undisguised } from '#app/lib/undisguised.ts';
import { listFailedMail, resendMail } from '#app/outbox/failed-mail.server.ts';
import { mailHealthContext } from '#app/outbox/mail-health.server.ts';
import { listWaitingMail } from '#app/outbox/waiting-mail.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/mail';
import { staffMeta } from './frame/staff-meta.ts';
import { shownWaiting, WaitingMail } from './waiting-mail.tsx';

const mostListed = 200;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, forms } = context.get(enquiriesContext);
  const failed = await orAway(() => listFailedMail(db, forms.trueNow(), mostListed));
  const waiting = await orAway(() => listWaitingMail(db, mostListed));
  return {
    waiting: shownWaiting(waiting, await context.get(mailHealthContext)()),
    askedNow: url.searchParams.has('now'),
    queuedAgain: url.searchParams.has('queued'),
    mails: failed.map((mail) => ({
      id: mail.id,
      kind: mail.kind,
      to: undisguised(mail.to),
      subject: undisguised(mail.subject),
      reason: undisguised(mail.reason),
      attempts: mail.attempts,
      ended: mail.ended,
      at: formatMoment(mail.failedAt ?? mail.queuedAt),
    })),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db, forms } = context.get(enquiriesContext);
  const staff = context.get(staffContext);
  const id = String((await readForm(request))?.get('mail') ?? '');
  const at = forms.trueNow();
  const resend = () =>
    db.transaction().execute(async (trx) => {
      const resent = await resendMail(trx, id, at);
      if (resent.ok) {
        await writeAuditEntry(trx, { at, personId: staff.id, action: 'send-again', subject: `mail:${id}` });
      }
      return resent;
    });
  const result = await orAway(resend);
  if (result.ok) throw redirect(`${href('/staff/mail')}?queued`, 303);
  return data({ fault: faults[result.reason] }, { status: 409 });
}

const faults = {
  unknown: 'This mail is not kept any more. Nothing was sent.',
  'not-failed': 'This mail does not count as failed any more: somebody sent it again meanwhile.',
  stale: 'This mail has become pointless, so it was not sent again.',
  erased: 'This mail held a private link, which was erased when it failed, so it was not sent again.',
};

const endings = { stale: 'Pointless by now', erased: 'Held a private link, which is erased' };

export const meta = () => staffMeta('Mail');

export default function Mail({ loaderData, actionData }: Route.ComponentProps) {
  const { mails, queuedAgain, waiting, askedNow } = loaderData;
  return (
    <>
      <WaitingMail shown={waiting} asked={askedNow} />
      <h2 className="text-2xl">Failed mail</h2>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        What the mail server refused for good, or did not take within five days. The latest {mostListed} are shown.
      </p>
      {actionData ? (
        <p role="alert" className="mb-5 rounded-control border-2 border-fault bg-card p-4">
          {actionData.fault}
        </p>
      ) : (
        queuedAgain && (
          <p role="status" className="mb-5 rounded-control border border-edge bg-card p-4">
            The mail is on its way again. If it fails again, it comes back to this list.
          </p>
        )
      )}
      {mails.length === 0 ? (
        <p className="rounded-control border border-line bg-card p-5">No mail has failed.</p>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {mails.map((mail) => (
            <li
              key={mail.id}
              className="grid gap-x-5 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 md:grid-cols-[17rem_minmax(0,1fr)_9rem]"
            >
              <div className="min-w-0">
                <p className="break-words font-bold">{mail.to}</p>
                <p className="tabular text-sm text-mute">{mail.at}</p>
              </div>
              <div className="min-w-0 text-sm">
                <p className="break-words font-semibold">{mail.subject}</p>
                <p className="break-words text-mute">
                  {mail.kind}, {mail.attempts} {mail.attempts === 1 ? 'attempt' : 'attempts'}. {mail.reason}
                </p>
              </div>
              {mail.ended ? (
                <p className="text-sm text-mute md:text-right">{endings[mail.ended]}</p>
              ) : (
                <Form method="post" action={href('/staff/mail')} preventScrollReset className="md:text-right">
                  <input type="hidden" name="mail" value={mail.id} />
                  <button type="submit" className={button.quiet}>
                    Send again<span className="sr-only"> to {mail.to}</span>
                  </button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
