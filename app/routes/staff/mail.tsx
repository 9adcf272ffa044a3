import type { ComponentProps } from 'react';
import { Form, href, Link } from 'react-router';
import { openingSettingsContext } from '#app/features/catalogue/site/opening.server.ts';
import { readMail } from '#app/features/inbox/mail.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { failedSince, mostResent } from '#app/outbox/failed-mail.server.ts';
import { type MailHealth, mailHealthContext } from '#app/outbox/mail-health.server.ts';
import { privateLinksContext } from '#app/outbox/private-links.server.ts';
import type { WaitingMail as Waiting } from '#app/outbox/waiting-mail.server.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/mail';
import { MailList } from './frame/mail-list.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import { takeResending } from './mail-acts.server.ts';

/** The data of the section, from the loader of its page. */
function shownWaiting(mails: readonly Waiting[], { awaySince, answer, waiting, oldestAt }: MailHealth) {
  return {
    away: awaySince && { since: formatMoment(awaySince), answer: showControlCharacters(answer ?? '') },
    waiting,
    oldest: oldestAt && formatMoment(oldestAt),
    mails: mails.map(({ id, kind, to, subject, queuedAt, attempts, answer: last, nextAt, planned }) => ({
      id,
      kind,
      to: showControlCharacters(to),
      subject: showControlCharacters(subject),
      at: formatMoment(queuedAt),
      attempts,
      answer: showControlCharacters(last ?? ''),
      next: nextAt && formatMoment(nextAt),
      planned,
    })),
  };
}

type WaitingMailProps = { shown: ReturnType<typeof shownWaiting>; asked: boolean; form: FormState };

/** Mails that were not handed over yet, why, and a button to try them at once. */
function WaitingMail({ shown: { away, waiting, oldest, mails }, asked, form }: WaitingMailProps) {
  const tried = mails.filter(({ planned }) => !planned);
  return (
    <section aria-labelledby="waiting-mail" className="mb-8">
      <h2 id="waiting-mail" className="border-b border-rule pb-1.5 text-lg">
        Waiting
      </h2>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        Emails that the mail server has not taken yet. We try each one for five days, at least every five minutes.
      </p>
      {away && (
        <div role="alert" className="mb-5 max-w-3xl rounded-control border-2 border-fault bg-card p-4">
          <p className="font-bold">The mail server has not answered since {away.since}.</p>
          <p className="wrap-anywhere">
            {waiting === 1 ? '1 email waiting' : `${waiting} emails waiting`}
            {oldest && `, the oldest since ${oldest}`}. We ask the server at least every half minute. Everything goes
            out as soon as it answers. Last answer: {away.answer || 'none'}
          </p>
        </div>
      )}
      {asked && (
        <p role="status" className="mb-5 rounded-control border border-edge bg-card p-4">
          {away
            ? 'We try as soon as the mail server answers.'
            : 'We try now. An email that the server does not take stays in this list, with the server’s answer. Reload the page in a moment.'}
        </p>
      )}
      {mails.length === 0 ? (
        <Words wide>No email is waiting.</Words>
      ) : (
        <>
          {tried.length > 0 && <SendNow form={form} className="mb-4" submit="Send all now" />}
          <MailList
            mails={mails}
            said={({ answer }) => answer}
            more={({ planned, next }) => (
              <p className="tabular text-mute">
                {planned
                  ? `Planned for ${next}`
                  : next
                    ? `Next attempt: ${next}`
                    : away
                      ? 'We send it when the server answers'
                      : 'We send it now'}
              </p>
            )}
            act={({ id, to, planned, next }) =>
              next &&
              !planned && (
                <SendNow
                  form={form}
                  carries={{ mail: id }}
                  className="md:text-right"
                  submit={<ButtonText about={`to ${to}`}>Send now</ButtonText>}
                />
              )
            }
          />
        </>
      )}
    </section>
  );
}

type FormProps = Omit<ComponentProps<typeof ActForm>, 'act' | 'needs'>;

/** Has mail that waits tried at once. */
const SendNow = (props: FormProps) => (
  <ActForm {...props} act="now" id={null} needs="mail:send" to={href('/staff/mail/send-now')} />
);

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db, clock, academy } = context.get(academyContext);
  const now = clock.now();
  const since = dayOf(url.searchParams.get('since') ?? '') ?? '';
  const when = { since: since === '' ? null : failedSince(since), upTo: now };
  const { waiting, failed, counts, keptDays, mostListed, lastEmailAt } = await unlessDatabaseAway(() =>
    readMail(db, actor, when),
  );
  const count = (name: string) => Number(/^\d{1,7}$/.exec(url.searchParams.get(name) ?? '')?.[0] ?? 0);
  return {
    form: blankStaffForm(0),
    waiting: shownWaiting(waiting, await context.get(mailHealthContext)()),
    arriving: {
      takesEmail: context.get(openingSettingsContext).takesEmail,
      address: academy().email,
      lastAt: lastEmailAt && formatMoment(lastEmailAt),
    },
    askedNow: url.searchParams.has('now'),
    since,
    upTo: now.toISOString(),
    keptDays,
    mostListed,
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
      to: showControlCharacters(mail.to),
      subject: showControlCharacters(mail.subject),
      reason: showControlCharacters(mail.reason),
      outcome: outcomes[mail.attempts === 0 ? 'deferred' : (mail.outcome ?? 'unknown')],
      attempts: mail.attempts,
      ended: mail.ended,
      at: formatMoment(mail.failedAt ?? mail.queuedAt),
    })),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const form = await readForm(request);
  const since = dayOf(textsOf(form).since ?? '') ?? '';
  const asked = { form, actor, links: context.get(privateLinksContext) };
  const when = since === '' ? null : failedSince(since);
  const result = await takeResending(context.get(academyContext), { ...asked, since: when });
  return answerForm(result, ({ counts }) => {
    const query = new URLSearchParams(since === '' ? {} : { since });
    for (const [name, n] of Object.entries(counts)) if (n > 0 || name === 'queued') query.set(name, String(n));
    return `${href('/staff/mail')}?${query}`;
  });
}

/** Sentences about mail that "Send all again" left out, by the name of its count in the address. */
const reasonsOf = new Map([
  ['stale', 'it is too late'],
  ['erased', 'the text was deleted'],
  ['nowhere', 'what it is about was deleted, is over, or now belongs to another address'],
]);

const endings = { stale: 'Too late to send', erased: 'Its text was deleted' };

const outcomes = {
  deferred: 'Not sent',
  refused: 'Refused',
  unknown: 'Perhaps delivered',
  delivered: 'Delivered',
};

const countOf = (n: number) => (n === 1 ? '1 email' : `${formatCount(n)} emails`);

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Mail');

export default function Mail({ loaderData, actionData }: Route.ComponentProps) {
  const { mails, waiting, arriving, askedNow, sent, since, upTo, again, more, keptDays, mostListed } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <PageHead title="Mail">
        <Link to={href('/staff/bulk-actions')} className={button.quiet}>
          Sent to many at once
        </Link>
      </PageHead>
      <WhoMay needs="mail:send" what="send mail again" />
      <WaitingMail shown={waiting} asked={askedNow} form={form} />
      <ArrivingMail {...arriving} />
      <h2 className="border-b border-rule pb-1.5 text-lg">Failed</h2>
      <p className="mt-2 max-w-prose text-mute">
        Emails that the mail server refused, did not take in the time we tried, or sent back. The latest {mostListed}{' '}
        are shown. We delete a failed email {keptDays} days after we last tried to send it.
      </p>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        When you send an email again, it gets new private links and its documents. Codes and sign-in links work for 15
        minutes only: the person has to ask for another one.
      </p>
      {actionData ? (
        <p role="alert" className="mb-5 rounded-control border-2 border-fault bg-card p-4">
          {actionData.form.fault}
        </p>
      ) : (
        sent && (
          <div role="status" className="mb-5 grid gap-1 rounded-control border border-edge bg-card p-4">
            <p>
              {countOf(sent.queued)} {sent.queued === 1 ? 'waits' : 'wait'} to be sent again. An email that fails again
              returns to this list.
            </p>
            {sent.notQueued.map(({ n, why }) => (
              <p key={why}>
                {countOf(n)} {n === 1 ? 'was' : 'were'} not sent again: {why}.
              </p>
            ))}
            {sent.left > 0 && <p>{countOf(sent.left)} are left. Press the button again to send them.</p>}
          </div>
        )
      )}
      <div className="mb-5 flex flex-wrap items-end gap-x-6 gap-y-4">
        <Form method="get" action={href('/staff/mail')} className="flex flex-wrap items-end gap-3">
          <label className="grid gap-1 text-sm font-semibold">
            Failed since
            <input key={since} type="date" name="since" defaultValue={since} className={field} />
          </label>
          <button type="submit" className={button.quiet}>
            Show
          </button>
        </Form>
        <OnlyWith permission="lists:export">
          <a
            href={`${href('/staff/:list.csv', { list: 'mail' })}${since === '' ? '' : `?${new URLSearchParams({ since })}`}`}
            className={button.quiet}
          >
            Export CSV
          </a>
        </OnlyWith>
        {again > 0 && (
          <ActForm
            act="all"
            form={form}
            needs="mail:send"
            to={href('/staff/mail')}
            carries={{ since, upTo }}
            className=""
            submit={again === 1 ? 'Send it again' : `Send ${more ? 'the oldest' : 'all'} ${again} again`}
            look="primary"
            stays={false}
          />
        )}
      </div>
      {mails.length === 0 ? (
        <Words wide>{since === '' ? 'No email has failed.' : 'No email has failed since then.'}</Words>
      ) : (
        <MailList
          mails={mails}
          said={({ outcome, reason }) => `${outcome}: ${reason}`}
          act={({ id, to, ended }) =>
            ended ? (
              <p className="text-sm text-mute md:text-right">{endings[ended]}</p>
            ) : (
              <ActForm
                act="one"
                id={null}
                form={form}
                needs="mail:send"
                to={href('/staff/mail')}
                carries={{ mail: id, since }}
                className="md:text-right"
                submit={<ButtonText about={`to ${to}`}>Send again</ButtonText>}
              />
            )
          }
        />
      )}
    </>
  );
}

type Props = {
  takesEmail: boolean;
  /** To which people write, and answer our emails. */
  address: string;
  lastAt: string | null;
};

/** Where what people write to us arrives, and when the last email did. */
function ArrivingMail({ takesEmail, address, lastAt }: Props) {
  const list = <TextLink to={`${href('/staff/enquiries')}?kind=email`}>the messages</TextLink>;
  return (
    <section aria-labelledby="arriving-mail" className="mb-8">
      <h2 id="arriving-mail" className="border-b border-rule pb-1.5 text-lg">
        Arriving
      </h2>
      {takesEmail ? (
        <p className="mt-2 max-w-prose text-mute">
          What people write to {address} is among {list} and in the inbox.{' '}
          {lastAt ? `The last email came on ${lastAt}.` : 'None has come yet.'}
        </p>
      ) : (
        <p className="mt-2 max-w-prose text-mute">
          What people write to {address}, and how they answer our emails, is in that mailbox only: the mail server does
          not hand it over to this program yet.
        </p>
      )}
    </section>
  );
}
