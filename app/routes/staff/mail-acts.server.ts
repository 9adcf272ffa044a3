import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  common,
  firstSubmission,
  readStaffForm,
  type StaffFormResult,
  takeStaffAct,
  wasSubmitted,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { notDone } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import type { Refusal } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { resendAll, resendMail } from '#app/outbox/failed-mail.server.ts';
import { releaseMail } from '#app/outbox/held-mail.server.ts';
import type { PrivateLinks } from '#app/outbox/private-links.server.ts';
import { sendWaitingNow } from '#app/outbox/waiting-mail.server.ts';

type Asked = { form: FormData | null; actor: StaffActor };

const words = {
  unreadable: 'This page was open for too long. Nothing was sent. Please press the button again.',
  notSaved: notDone.away,
  away: unconfirmedText(
    'that this is sent again',
    'Read the list again in a few minutes: an email that waits to be sent is no longer on it. Nothing is sent twice.',
  ),
  busy: notDone.busy,
  kept: '',
};

/** Of a press of "Send all again" that was cut off: `queued` are those of which it is certain. */
const cutOff = (queued: number) =>
  unconfirmedText(
    'that all of them are sent again',
    `${queued === 0 ? 'Perhaps none is' : queued === 1 ? '1 email is' : `At least ${queued} emails are`} waiting to be sent again. Read the list again in a few minutes, then press the button for those that are left. Nothing is sent twice.`,
  );

const oneForm = z.object({ ...common, mail: z.string() });
const allForm = z.object({ ...common, upTo: z.iso.datetime() });
const nowForm = z.object({ ...common, mail: z.string().optional() });

type Resent = { ok: true; counts: Record<string, number> } | Refusal;

/**
 * Queues a failed mail again, or all that failed from `since` until the page was shown: what failed later is not sent by
 * the same form once more. What others did to it meanwhile the mail says itself. `counts` is what became of them.
 */
export async function takeResending(
  academy: Academy,
  { form, actor, links, since }: Asked & { links: PrivateLinks; since: Date | null },
): Promise<Resent> {
  const at = academy.clock.now();
  if (textsOf(form).act !== 'all') {
    const result = await takeStaffAct(academy, {
      form,
      schema: oneForm,
      subject: `mail:${textsOf(form).mail}`,
      actor,
      words,
      compares: false,
      async act(trx, { mail }) {
        const resent = await resendMail(trx, mail, at, links);
        if (resent.ok) return { ok: true, did: { action: 'send-again' } };
        return { ok: false, reason: 'refused', fault: faults[resent.reason] };
      },
    });
    return result.ok ? { ...result, counts: { queued: 1 } } : result;
  }
  let counts: Record<string, number> = { queued: 0 };
  let storedSoFar = 0;
  const result = await readStaffForm(
    { form, schema: allForm, subject: 'mail:all', actor, words },
    async (data, { key }) => {
      // In several transactions: what a failure in the middle left is sent when the form comes again.
      if (await wasSubmitted(academy.db, key)) return { ok: true };
      const record = (trx: Db, queued: number) =>
        writeAuditEntry(trx, {
          at,
          personId: actor.person.id,
          action: 'send-again',
          subject: 'mail:all',
          details: { queued },
        });
      const stored = (queued: number) => {
        storedSoFar += queued;
      };
      const when = { since, upTo: new Date(data.upTo) };
      const resent = await resendAll(academy.db, when, { now: at, links, record, stored });
      await firstSubmission(academy.db, key, at);
      const { queued, stale, erased, leadsNowhere: nowhere, again: left } = resent;
      counts = { queued, stale, erased, nowhere, left };
      return { ok: true };
    },
  );
  if (result.ok) return { ...result, counts };
  const cut = result.status === 503 && result.form.heading === 'Not confirmed yet';
  return cut ? { ...result, form: { ...result.form, fault: cutOff(storedSoFar) } } : result;
}

/** Makes mail that waits due at once: the one named, or all. */
export function takeSendingNow(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  const named = textsOf(form).mail ?? '';
  return takeStaffAct(academy, {
    form,
    schema: nowForm,
    subject: named === '' ? 'mail:all' : `mail:${named.slice(0, 36)}`,
    actor,
    words,
    compares: false,
    async act(trx) {
      await sendWaitingNow(trx, named === '' ? null : named);
      return { ok: true, did: { action: 'send-now' } };
    },
  });
}

/** Lets mail go out again that is held since the database was restored (P92). */
export function takeReleasing(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: z.object(common),
    subject: 'mail:all',
    actor,
    words,
    compares: false,
    async act(trx) {
      // Another owner may have done it.
      await releaseMail(trx);
      return { ok: true, did: { action: 'release-mail' } };
    },
  });
}

const faults = {
  unknown: 'We no longer have this email. Nothing was sent.',
  withdrawn: 'What this email says is no longer true, so the program withdrew it. It was not sent again.',
  'not-failed': 'This email is no longer marked as failed: someone has sent it again.',
  stale: 'It is too late for this email, so we did not send it again.',
  erased:
    'The text of this email was deleted, so it was not sent again. The person can ask for another code or link; for an enrolment you can send a new link on its page.',
  'leads-nowhere':
    'What this email is about was deleted, is over, or now belongs to another address, or the person wants no more news, so it was not sent again. For an enrolment you can send a new link on its page.',
};
