import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { jobFault } from '#app/emails/faults.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import {
  forgetFaultsBefore,
  lastFaultToldAt,
  lockUntoldFaults,
  markFaultsLogged,
  markFaultsTold,
} from '#app/jobs/faults.server.ts';
import { hourMs } from '#app/lib/durations.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** A fault whose item the job has not come across for so long is over: the item is gone. */
const forgottenAfterMs = 48 * hourMs;

type Log = { error(fields: object, message: string): void };
type Told = { academy: MailAcademy; at: Date; log: Log };

/**
 * Writes each fault of a periodic job to the log once, and tells the academy by email of those since the last one, at
 * most once an hour, also when the same fault comes and goes; forgets those whose item is gone. Several processes may do so at once.
 */
export async function tellFaults(db: Db, { academy, at, log }: Told): Promise<void> {
  await forgetFaultsBefore(db, new Date(at.getTime() - forgottenAfterMs));
  for (const fault of await markFaultsLogged(db, at)) log.error(fault, 'job failed for one item');
  await db.transaction().execute(async (trx) => {
    const last = await lastFaultToldAt(trx);
    // A time more than an hour ahead comes from a wrong clock.
    if (last !== null && Math.abs(at.getTime() - last.getTime()) < hourMs) return;
    const untold = await lockUntoldFaults(trx);
    if (untold.length === 0) return;
    const mail = jobFault({ faults: untold, link: academy.url + href('/staff/faults'), academy });
    // A fault that is over takes its row along, so the rows alone do not know when the last email was.
    const dedupeKey = `job-fault:${at.toISOString().slice(0, 'YYYY-MM-DDTHH'.length)}`;
    if ((await queueMail(trx, { kind: 'job-fault', about: 'nothing', to: academy.email, dedupeKey, ...mail })) === null)
      return;
    await markFaultsTold(trx, at);
  });
}
