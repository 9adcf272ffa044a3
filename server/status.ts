import { damageOf } from '#app/db/client.server.ts';
import { outOfDateMs } from '#app/features/snapshot/renewal-fault.server.ts';
import type { StatusPart } from '#app/http/status.server.ts';
import { trueTime } from '#app/lib/clock.ts';
import type { MailHealth } from '#app/outbox/mail-health.server.ts';
import { look } from './readiness.ts';
import type { Services } from './services.ts';

const freshMs = 2000;
const reads = new WeakMap<Services, { at: number; parts: Promise<StatusPart[]> }>();

/** The answers of /status, found out at most every two seconds however often visitors ask. */
export function readStatus(services: Services): Promise<StatusPart[]> {
  const last = reads.get(services);
  if (last && performance.now() - last.at < freshMs) return last.parts;
  const parts = findOut(services);
  reads.set(services, { at: performance.now(), parts });
  return parts;
}

async function findOut(services: Services): Promise<StatusPart[]> {
  const [proof, mail, backup] = await Promise.all([
    look(services),
    services.mailHealth(),
    services.backups?.state() ?? null,
  ]);
  // True time, by which the queue of mail goes as well.
  const checkedAt = trueTime(services.clock);
  const ageMs = services.snapshot.ageMs();
  const part = (name: StatusPart['name'], state: StatusPart['state'], since: Date | null = null): StatusPart => ({
    ...{ name, state, since, checkedAt },
  });
  return [
    ageMs > outOfDateMs ? part('pages', 'delayed', new Date(checkedAt.getTime() - ageMs)) : part('pages', 'works'),
    part('database', damageOf(services.database.db) ? 'damaged' : proof.ok ? 'works' : 'down'),
    // A buyer needs the code that confirms the address.
    part('enrolling', !proof.ok ? 'down' : mail.state === 'away' ? 'delayed' : 'works', mail.awaySince),
    part('email', stateOfMail(mail), mail.awaySince),
    ...(backup ? [part('backup', backup.fault ? 'delayed' : backup.at ? 'works' : 'unknown')] : []),
  ];
}

function stateOfMail({ state }: MailHealth): StatusPart['state'] {
  if (state === 'unknown') return 'unknown';
  return state === 'away' ? 'down' : 'works';
}
