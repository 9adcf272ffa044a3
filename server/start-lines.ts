import { placeOf } from '#app/db/backup/store.server.ts';
import type { Settings } from '#app/env.server.ts';
import { listStaff } from '#app/features/people/queries.server.ts';
import type { Services } from './services.ts';

type Started = { seconds: string; mailPath: string | null };

/** The lines that a person reads once the program is ready, five at most; everything later is in the log. */
export async function startLines(settings: Settings, services: Services, started: Started): Promise<string[]> {
  const { baseUrl } = settings;
  const { database, mail } = services;
  const { seconds, mailPath } = started;
  // A database that goes away at this moment stops no program that is ready.
  const staff = await listStaff(database.db).catch(() => null);
  const backups = await services.backups?.state().catch(() => null);
  const unset = [
    ...notSetUp(settings),
    ...(backups?.sameDisk ? ['backups on another disk (BACKUP_DIR or BACKUP_URL)'] : []),
  ];
  return [
    `Bowerbird Academy: ${baseUrl} (ready after ${seconds} s)`,
    `Data: ${database.place}${settings.backups ? `. Backups: ${placeOf(settings.backups)}` : ''}`,
    mailPath ? `Mail: ${mail}; this link shows it in a browser, once: ${baseUrl}${mailPath}` : `Mail: ${mail}`,
    ...(staff?.length === 0 ? ['First owner: npm run staff -- invite you@example.com prints a link to sign in'] : []),
    ...(unset.length > 0 ? [`Not set up yet: ${unset.join(', ')}; docs/operating.md says how`] : []),
  ];
}

/** The settings that are missing before the academy opens to visitors. */
function notSetUp({ publicOrigin, smtp, stripe }: Settings): string[] {
  const parts = [
    { set: publicOrigin, name: 'public address (BASE_URL)' },
    { set: smtp, name: 'email (SMTP_URL)' },
    { set: stripe, name: 'card payment (STRIPE_SECRET_KEY)' },
  ];
  return parts.filter(({ set }) => !set).map(({ name }) => name);
}
