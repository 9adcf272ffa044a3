import type { ReactNode } from 'react';
import { Rows } from '#app/ui/staff/list.tsx';

type Row = { id: string; to: string; at: string; subject: string; kind: string; attempts: number };

/** A list of mails: recipient, time, subject, number of attempts, and acts. */
export function MailList<Mail extends Row>({
  mails,
  said,
  more,
  act,
}: {
  mails: readonly Mail[];
  /** The last answer of the mail server. */
  said: (mail: Mail) => string;
  more?: (mail: Mail) => ReactNode;
  act: (mail: Mail) => ReactNode;
}) {
  return (
    <Rows rows={mails} keyOf={({ id }) => id} columns="md:grid-cols-[17rem_minmax(0,1fr)_9rem]" roomy>
      {(mail) => (
        <>
          <div className="min-w-0">
            <p className="break-words font-bold">{mail.to}</p>
            <p className="tabular text-sm text-mute">{mail.at}</p>
          </div>
          <div className="min-w-0 text-sm">
            <p className="break-words font-semibold">{mail.subject}</p>
            <p className="break-words text-mute">
              {mail.kind}, {mail.attempts} {mail.attempts === 1 ? 'attempt' : 'attempts'}. {said(mail)}
            </p>
            {more?.(mail)}
          </div>
          {act(mail)}
        </>
      )}
    </Rows>
  );
}
