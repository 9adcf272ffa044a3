import { damageOf, poolSize, poolState, type SlowStatement, slowStatements } from '#app/db/client.server.ts';
import type { Settings } from '#app/env.server.ts';
import { outOfDateMs } from '#app/features/snapshot/renewal-fault.server.ts';
import type { Health, HealthLine } from '#app/http/health.server.ts';
import { countFaults } from '#app/jobs/faults.server.ts';
import { hourMs, minuteMs } from '#app/lib/durations.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { countMailsByState } from '#app/outbox/mail-counts.server.ts';
import { awaySinceText, type MailHealth } from '#app/outbox/mail-health.server.ts';
import { type Disk, readDisks } from './disks.ts';
import { look } from './readiness.ts';
import type { Services } from './services.ts';

/** The same limits as in `deploy/alerts.yaml`. */
const [lateMailMs, leastFree] = [15 * minuteMs, 0.1];
const [secondMs, gigabyte] = [1000, 1e9];

/** Whether a slow statement is of the last hour. */
export const isRecent = ({ at }: SlowStatement): boolean => performance.now() - at < hourMs;

/** What /staff/health shows (P94). While the database is away it says so, and what is not known. */
export async function readHealth(services: Services, settings: Settings): Promise<Health> {
  const { db } = services.database;
  const [proof, mail, failed, faults, backup, disks] = await Promise.all([
    look(services),
    services.mailHealth(),
    countMailsByState(db).then(
      ({ failed = 0 }) => failed,
      () => null,
    ),
    countFaults(db).catch(() => null),
    services.backups?.state() ?? null,
    readDisks(settings),
  ]);
  const damage = damageOf(db);
  const pool = poolState(db);
  const slow = slowStatements(db).toReversed();
  const recent = slow.filter(isRecent);
  const ageMs = services.snapshot.ageMs();
  const line = (part: HealthLine['part'], isGood: boolean, now: string): HealthLine => ({ part, isGood, now });
  return {
    lines: [
      line('pages', ageMs <= outOfDateMs, `Compared with the database ${inWords(ageMs)} ago.`),
      line('database', proof.ok && !damage, damage ?? (proof.ok ? 'It takes writes.' : `It is ${proof.reason}.`)),
      line('mail', mail.state !== 'away' && oldestMs(mail) < lateMailMs, mailNow(mail, failed)),
      line('jobs', faults === 0, faults === null ? 'Not known.' : faults === 0 ? 'None failed.' : `${faults} failed.`),
      line(
        'backup',
        !backup?.fault,
        backup ? (backup.fault ?? madeAt(backup.at)) : 'This program makes none: see to those of its database.',
      ),
      ...disks.map(diskLine),
      line(
        'connections',
        pool.waiting === 0,
        `${pool.total - pool.idle} of ${poolSize(db)} in use. Requests that wait for one: ${pool.waiting}.`,
      ),
      line('statements', recent.length === 0, `${recent.length} took longer than a second in the last hour.`),
    ],
    slow: slow.map(({ text, ms, at }) => ({
      text: text.replaceAll(/\s+/g, ' ').slice(0, 300),
      when: `${(ms / secondMs).toFixed(1)} s, ${inWords(performance.now() - at)} ago`,
    })),
  };
}

/** `40 s`, `12 min`, `5 h`, from milliseconds. */
function inWords(ms: number): string {
  if (ms < 2 * minuteMs) return `${Math.round(ms / secondMs)} s`;
  return ms < 2 * hourMs ? `${Math.round(ms / minuteMs)} min` : `${Math.round(ms / hourMs)} h`;
}

const oldestMs = ({ oldestAt, at }: MailHealth) => (oldestAt ? at.getTime() - oldestAt.getTime() : 0);

function mailNow(mail: MailHealth, failed: number | null): string {
  const server =
    mail.state === 'away'
      ? `The mail server has not answered since ${awaySinceText(mail)}.`
      : mail.state === 'answering'
        ? 'The mail server answers.'
        : 'The mail server was not asked lately.';
  const oldest = mail.oldestAt ? `, the oldest for ${inWords(oldestMs(mail))}` : '';
  return `${server} Waiting: ${mail.waiting}${oldest}. Failed: ${failed ?? 'not known'}.`;
}

const madeAt = (at: Date | null) => (at ? `The newest is of ${formatMoment(at)}.` : 'The first one is being made.');

const diskLine = ({ folder, free, size }: Disk): HealthLine => ({
  part: 'disk',
  isGood: free > leastFree * size,
  now: `${gigabytes(free)} of ${gigabytes(size)} GB free at ${folder}.`,
});

const gigabytes = (bytes: number) => (bytes / gigabyte).toFixed(1);
