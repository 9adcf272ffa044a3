import { data, Form, href, redirect } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readRetention } from '#app/features/site/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { undisguised } from '#app/lib/undisguised.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { countFailedMail, listFailedMail, mostResent, resendAll, resendMail } from '#app/outbox/failed-mail.server.ts';
import { mailHealthContext } from '#app/outbox/mail-health.server.ts';
import { privateLinksContext } from '#app/outbox/private-links.server.ts';
import { listWaitingMail } from '#app/outbox/waiting-mail.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/mail';
import { MailList } from './frame/mail-list.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import { shownWaiting, WaitingMail } from './waiting-mail.tsx';

const mostListed = 200;

export async function loader({ context, url }: Route.LoaderArgs) {
  staffFor(context, 'mail:read');
  const { db, forms } = context.get(academyContext);
  const now = forms.trueNow();
  const since = dayOf(url.searchParams.get('since'));
  const when = { since: since === '' ? null : beginOf(since), upTo: now };
  const [waiting, failed, counts, { failedMailDays }] = await orAway(() =>
    Promise.all([
      listWaitingMail(db, mostListed),
      listFailedMail(db, now, { since: when.since, limit: mostListed }),
      countFailedMail(db, when, now),
      readRetention(db),
    ]),
  );
  const count = (name: string) => Number(/^\d{1,7}$/.exec(url.searchParams.get(name) ?? '')?.[0] ?? 0);
  return {
    waiting: shownWaiting(waiting, await context.get(mailHealthContext)()),
    askedNow: url.searchParams.has('now'),
    since,
    upTo: now.toISOString(),
    keptDays: failedMailDays,
    again: Math.min(counts.again, mostResent),
    more: counts.again > mostResent,
    sent: url.searchParams.has('queued')
      ? {
          queued: count('queued'),
          notQueued: [...reasonsOf.entries()].flatMap(([name, why]) =>
            count(name) > 0 ? [{ n: count(name), why }] : [],
          ),
          left: count('left'),
        }
      : null,
    mails: failed.map((mail) => ({
      id: mail.id,
      kind: mail.kind,
      to: undisguised(mail.to),
      subject: undisguised(mail.subject),
      reason: undisguised(mail.reason),
      outcome: outcomes[mail.attempts === 0 ? 'deferred' : (mail.outcome ?? 'unknown')],
      attempts: mail.attempts,
      ended: mail.ended,
      at: formatMoment(mail.failedAt ?? mail.queuedAt),
    })),
  };
}

/** A day of a form or an address; empty for none. */
const dayOf = (text: unknown): string => {
  const day = typeof text === 'string' ? text : '';
  return /^20\d\d-\d\d-\d\d$/.test(day) && new Date(`${day}T00:00Z`).toJSON()?.slice(0, 10) === day ? day : '';
};

const beginOf = (day: string) => instantOf(day, '00:00', 'Australia/Brisbane');

export async function action({ context, request }: Route.ActionArgs) {
  const { id: personId } = staffFor(context, 'mail:send').person;
  const { db, forms } = context.get(academyContext);
  const links = context.get(privateLinksContext);
  const form = await readForm(request);
  const at = forms.trueNow();
  const since = dayOf(form?.get('since'));
  const query = new URLSearchParams(since === '' ? {} : { since });
  if (form?.get('act') === 'all') {
    // What failed after the page was shown is not sent by the same form once more.
    const upTo = new Date(String(form.get('upTo')));
    if (Number.isNaN(upTo.getTime())) return data({ fault: faults.form }, { status: 400 });
    const record = (trx: typeof db, queued: number) =>
      writeAuditEntry(trx, { at, personId, action: 'send-again', subject: 'mail:all', details: { queued } });
    const when = { since: since === '' ? null : beginOf(since), upTo };
    const result = await orAway(() => resendAll(db, when, { now: at, links, record }));
    const { queued, stale, erased, leadsNowhere, again } = result;
    for (const [name, n] of Object.entries({ queued, stale, erased, nowhere: leadsNowhere, left: again })) {
      if (n > 0 || name === 'queued') query.set(name, String(n));
    }
    throw redirect(`${href('/staff/mail')}?${query}`, 303);
  }
  const id = String(form?.get('mail') ?? '');
  const resend = () =>
    db.transaction().execute(async (trx) => {
      const resent = await resendMail(trx, id, at, links);
      if (resent.ok) await writeAuditEntry(trx, { at, personId, action: 'send-again', subject: `mail:${id}` });
      return resent;
    });
  const result = await orAway(resend);
  if (!result.ok) return data({ fault: faults[result.reason] }, { status: 409 });
  query.set('queued', '1');
  throw redirect(`${href('/staff/mail')}?${query}`, 303);
}

const faults = {
  form: 'This page was too old to send mail again. Nothing was sent. Please press the button once more.',
  unknown: 'This mail is not kept any more. Nothing was sent.',
  'not-failed': 'This mail does not count as failed any more: somebody sent it again meanwhile.',
  stale: 'It is too late for this mail, so it was not sent again.',
  erased:
    'The words of this mail were erased, so it was not sent again. The person can ask for another code or link; for an enrolment you can send a fresh link on its page.',
  'leads-nowhere':
    'What this mail is about was erased, is over, or belongs to another e-mail address now, so it was not sent again. For an enrolment you can send a fresh link on its page.',
};

/** Of mail that "send all again" left, by the name of its count in the address. */
const reasonsOf = new Map([
  ['stale', 'it is too late'],
  ['erased', 'the words were erased'],
  ['nowhere', 'what it is about was erased, is over, or belongs to another e-mail address now'],
]);

const endings = { stale: 'Too late to send', erased: 'Its words were erased' };

const outcomes = {
  deferred: 'Not handed over',
  refused: 'Refused',
  unknown: 'Perhaps delivered',
  delivered: 'Delivered',
};

const countOf = (n: number) => (n === 1 ? '1 e-mail' : `${n.toLocaleString('en-AU')} e-mails`);

export const meta = () => staffMeta('Mail');

export default function Mail({ loaderData, actionData }: Route.ComponentProps) {
  const { mails, waiting, askedNow, sent, since, upTo, again, more, keptDays } = loaderData;
  return (
    <>
      <WaitingMail shown={waiting} asked={askedNow} />
      <h2 className="text-2xl">Failed mail</h2>
      <p className="mt-2 max-w-prose text-mute">
        What the mail server refused, or did not take for as long as it was tried. The latest {mostListed} are shown.
        Failed mail is deleted {keptDays} days after we last began to send it.
      </p>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        When you send mail again, it gets fresh private links and its documents. Codes and sign-in links hold for 15
        minutes only: the person has to ask for another one.
      </p>
      {actionData ? (
        <p role="alert" className="mb-5 rounded-control border-2 border-fault bg-card p-4">
          {actionData.fault}
        </p>
      ) : (
        sent && (
          <div role="status" className="mb-5 grid gap-1 rounded-control border border-edge bg-card p-4">
            <p>
              {countOf(sent.queued)} {sent.queued === 1 ? 'waits' : 'wait'} to be sent again. What fails again comes
              back to this list.
            </p>
            {sent.notQueued.map(({ n, why }) => (
              <p key={why}>
                {countOf(n)} {n === 1 ? 'was' : 'were'} not sent again: {why}.
              </p>
            ))}
            {sent.left > 0 && <p>{countOf(sent.left)} are left. Press the button once more to send them.</p>}
          </div>
        )
      )}
      <div className="mb-5 flex flex-wrap items-end gap-x-6 gap-y-4">
        <Form method="get" action={href('/staff/mail')} className="flex flex-wrap items-end gap-3">
          <label className="grid gap-1 text-sm font-semibold">
            Failed since
            <input
              key={since}
              type="date"
              name="since"
              defaultValue={since}
              className="min-h-11 rounded-control border border-edge bg-card px-3 font-normal"
            />
          </label>
          <button type="submit" className={button.quiet}>
            Show
          </button>
        </Form>
        {again > 0 && (
          <Form method="post" action={href('/staff/mail')}>
            <input type="hidden" name="act" value="all" />
            <input type="hidden" name="since" value={since} />
            <input type="hidden" name="upTo" value={upTo} />
            <button type="submit" className={button.primary}>
              {again === 1 ? 'Send it again' : `Send ${more ? 'the oldest' : 'all'} ${again} again`}
            </button>
          </Form>
        )}
      </div>
      {mails.length === 0 ? (
        <p className="rounded-control border border-line bg-card p-5">
          {since === '' ? 'No mail has failed.' : 'No mail has failed since then.'}
        </p>
      ) : (
        <MailList
          mails={mails}
          said={({ outcome, reason }) => `${outcome}: ${reason}`}
          act={({ id, to, ended }) =>
            ended ? (
              <p className="text-sm text-mute md:text-right">{endings[ended]}</p>
            ) : (
              <Form method="post" action={href('/staff/mail')} preventScrollReset className="md:text-right">
                <input type="hidden" name="mail" value={id} />
                <input type="hidden" name="since" value={since} />
                <button type="submit" className={button.quiet}>
                  Send again<span className="sr-only"> to {to}</span>
                </button>
              </Form>
            )
          }
        />
      )}
    </>
  );
}
