import { href } from 'react-router';
import type { EnquiryState } from '#app/features/inbox/enquiries/inbox.ts';
import { Sign } from '#app/ui/sign.tsx';
import { FileLink, Panel, TextLink } from '#app/ui/staff/typography.tsx';
import { StatePill } from './frame/state-pill.tsx';

export type ShownEmail = {
  subject: string;
  /** What the words repeat of emails before. */
  repeated: string;
  automatic: boolean;
  /** It is so long, or has so many files, that the page may not have all of it. */
  isCut: boolean;
  /** Whether the sender cannot have made the address up: they answer what went there. */
  isProved: boolean;
  /** Each with its number, from 1 on. */
  files: readonly { number: number; name: string; size: string }[];
};

type Props = {
  reference: string;
  message: string;
  corrects: string | null;
  corrections: readonly { reference: string; created_at: string }[];
  /** Null for a message from a form. */
  email: ShownEmail | null;
};

/** What somebody sent, from a form or by email. */
export function Message({ reference, message, corrects, corrections, email }: Props) {
  return (
    <Panel title="What was sent">
      {corrects && (
        <p className="mb-2 text-sm">
          This corrects <EnquiryLink reference={corrects} />.
        </p>
      )}
      {corrections.map((later) => (
        <p key={later.reference} className="mb-2 text-sm">
          Corrected by <EnquiryLink reference={later.reference} /> on {later.created_at}.
        </p>
      ))}
      {email && <p className="mb-2 font-semibold wrap-anywhere">{email.subject || 'No subject'}</p>}
      <div className="rounded-control border border-line bg-card p-4">
        <p className="whitespace-pre-wrap wrap-anywhere">
          {message === '' ? <span className="text-mute">No message.</span> : message}
        </p>
        {email?.repeated && <Repeated text={email.repeated} />}
      </div>
      {email && <Files reference={reference} email={email} />}
    </Panel>
  );
}

function Repeated({ text }: { text: string }) {
  return (
    <details className="group mt-3">
      <summary className="flex min-h-8 items-center gap-2 text-sm text-mute">
        <Sign name="down" className="size-4 shrink-0 group-open:rotate-180" />
        The emails before, which this one repeats
      </summary>
      <p className="mt-2 border-l-2 border-straw pl-3 text-sm whitespace-pre-wrap wrap-anywhere text-mute">{text}</p>
    </details>
  );
}

function Files({ reference, email: { files, automatic, isCut, isProved } }: { reference: string; email: ShownEmail }) {
  const fileAt = (file: string) => href('/staff/enquiries/:reference/files/:file', { reference, file });
  return (
    <>
      <ul aria-label="Files" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {files.map(({ number, name, size }) => (
          <li key={number} className="wrap-anywhere">
            <FileLink to={fileAt(String(number))}>{name}</FileLink> <span className="text-mute">{size}</span>
          </li>
        ))}
        <li>
          <FileLink to={fileAt('email.eml')}>The email as it came</FileLink>
        </li>
      </ul>
      {isCut && (
        <p className="mt-2 max-w-prose text-sm">
          This email is very long. What is missing here is in the email as it came.
        </p>
      )}
      {files.length > 0 && (
        <p className="mt-2 max-w-prose text-sm text-mute">Nobody has checked these files. Open only what you expect.</p>
      )}
      {automatic ? (
        <p className="mt-2 max-w-prose text-sm">
          A program wrote this, such as an out-of-office reply. Nobody waits for an answer, so it was closed at once.
        </p>
      ) : (
        !isProved && (
          <p className="mt-2 max-w-prose text-sm text-mute">
            Anybody can write this address into an email. Before you change an enrolment or tell anything about it,
            answer and wait until this person writes back.
          </p>
        )
      )}
    </>
  );
}

export type OtherMessage = {
  reference: string;
  by: string;
  /** Where it came from, unless that is the address of the message of the page. */
  otherAddress: string | null;
  at: string;
  message: string;
  state: EnquiryState;
  answers: readonly { id: number; by: string; at: string; body: string }[];
};

/** How many messages of a conversation a page leaves out before and after those that it shows. */
export type More = { older: number; newer: number };

/** The other messages of a conversation, with their answers, oldest first. */
export function Conversation({ messages, more }: { messages: readonly OtherMessage[]; more: More }) {
  return (
    <Panel title="The same conversation">
      <NotShown count={more.older} which="older" end="first" />
      <ol className="grid gap-3">
        {messages.map(({ reference, by, otherAddress, at, message, state, answers }) => (
          <li key={reference} className="grid gap-3">
            <div className="border-l-2 border-line pl-3">
              <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
                <span>
                  <b className="wrap-anywhere">{by}</b>
                  {otherAddress && <span className="wrap-anywhere"> ({otherAddress}, another address)</span>} wrote{' '}
                  <span className="tabular text-mute">{at}</span>
                </span>
                <EnquiryLink reference={reference} />
                <StatePill state={state} />
              </p>
              <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{message}</p>
            </div>
            {answers.map((answer) => (
              <div key={answer.id} className="border-l-2 border-straw pl-3">
                <p className="text-sm">
                  <b>{answer.by}</b> answered <span className="tabular text-mute">{answer.at}</span>
                </p>
                <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{answer.body}</p>
              </div>
            ))}
          </li>
        ))}
      </ol>
      <NotShown count={more.newer} which="newer" end="last" />
    </Panel>
  );
}

function NotShown({ count, which, end }: { count: number; which: string; end: string }) {
  if (count === 0) return null;
  return (
    <p className="my-3 max-w-prose text-sm text-mute">
      {count === 1 ? `One ${which} message is` : `${count} ${which} messages are`} not shown here. Open the {end}{' '}
      message of this list to read on.
    </p>
  );
}

function EnquiryLink({ reference }: { reference: string }) {
  return (
    <span className="tabular">
      <TextLink to={href('/staff/enquiries/:reference', { reference })}>{reference}</TextLink>
    </span>
  );
}
