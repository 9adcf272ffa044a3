import type { ComponentProps } from 'react';
import { href } from 'react-router';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { MailHealth } from '#app/outbox/mail-health.server.ts';
import type { WaitingMail as Waiting } from '#app/outbox/waiting-mail.server.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText } from '#app/ui/staff/act-form.tsx';
import { Words } from '#app/ui/staff/typography.tsx';
import { MailList } from './frame/mail-list.tsx';

/** The data of the section, from the loader of its page. */
export function shownWaiting(mails: readonly Waiting[], { awaySince, answer, waiting, oldestAt }: MailHealth) {
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

type Props = { shown: ReturnType<typeof shownWaiting>; asked: boolean; form: FormState };

/** Mails that were not handed over yet, why, and a button to try them at once. */
export function WaitingMail({ shown: { away, waiting, oldest, mails }, asked, form }: Props) {
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
