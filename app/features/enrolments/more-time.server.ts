import type { AuditChange } from '#app/audit/changes.ts';
import type { Trx } from '#app/db/client.server.ts';
import { agreedOf, divisible, instalmentChanges } from '#app/features/money/instalments.server.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import type { Actor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { agreeOnInstalments } from './agree-instalments.server.ts';
import { lockEnrolment } from './lock-enrolment.server.ts';

type NotGiven = { ok: false; reason: 'meanwhile' | 'not-due' | 'due-later' | 'in-instalments' };
/** The agreement on one invoice. */
type MoreTime = { invoice: string; changes: readonly AuditChange[] };

/**
 * Agrees that what is open of an enrolment's invoices is due on one later day: an agreement on a single instalment for
 * each invoice that is due before it (P83), which the buyer gets in writing. Ending the agreement undoes it. Several
 * instalments that were agreed stay as they are. `mailId` is of the last letter.
 */
export async function giveMoreTime(
  trx: Trx,
  { enrolmentId, until, actor }: { enrolmentId: number; until: Day; actor: Actor },
  moment: Moment,
): Promise<{ ok: true; given: MoreTime[]; mailId: string | null } | NotGiven> {
  const locked = await lockEnrolment(trx, enrolmentId, moment.now);
  if (!locked.ok) return locked;
  const due = (await openInvoices(trx, enrolmentId)).filter(
    (invoice) => invoice.dueOn !== null && divisible(invoice) > 0,
  );
  if (due.length === 0) return { ok: false, reason: 'not-due' };
  const earlier = due.filter(({ dueOn }) => dueOn !== null && dueOn < until);
  if (earlier.length === 0) return { ok: false, reason: 'due-later' };
  const agreed = await agreedOf(trx, enrolmentId);
  const partsOf = (debt: number) => agreed.get(debt) ?? [];
  if (earlier.some(({ debt }) => partsOf(debt).length > 1)) return { ok: false, reason: 'in-instalments' };
  const given: MoreTime[] = [];
  let mailId: string | null = null;
  for (const invoice of earlier) {
    const instalments = [{ dueOn: until, cents: divisible(invoice) }];
    const result = await agreeOnInstalments(trx, { enrolmentId, invoiceId: invoice.id, instalments, actor }, moment);
    if (!result.ok) throw new Error(`more time for invoice ${invoice.id}: ${result.reason}`);
    mailId = result.mailId;
    given.push({ invoice: result.number, changes: instalmentChanges(result.before, instalments) });
  }
  return { ok: true, given, mailId };
}
