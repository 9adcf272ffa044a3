import type { RouterContextProvider } from 'react-router';
import { buyerCodeMinutes, type CodeOf, readCode } from '#app/features/enrolments/enrolling/email-codes.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { brisbaneTime } from '#app/lib/short-dates.ts';
import { localMailContext } from '#app/outbox/local-mail.server.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import { sendingOf } from '#app/outbox/sending.server.ts';
import type { CodeState } from './code-field.tsx';

type Asked = {
  of: CodeOf;
  email: string;
  confirmed: boolean;
  /** The result of asking for a code: `again`, `changed`, `waiting` or `network`. */
  asked: string | null;
};

/** What a page says of the code that proves an address (P28): whether one was sent, and how far its mail is. */
export async function codeStateOf(
  context: Readonly<RouterContextProvider>,
  { of, email, confirmed, asked }: Asked,
): Promise<CodeState> {
  const { db, clock, academy } = context.get(academyContext);
  const sent = await readCode(db, { ...of, email, at: clock.now() });
  return {
    email,
    confirmed,
    sent: sent && {
      at: brisbaneTime(sent.sentAt),
      holds: sent.holds,
      sending: await sendingOf(db, { kind: 'email-code', to: email }),
    },
    minutes: buyerCodeMinutes,
    asked,
    local: context.get(localMailContext) !== null,
    mailAway: await mailAwaySince(context),
    phone: academy().phone,
  };
}
