import type { Settings } from '#app/env.server.ts';
import { hasContent } from '#app/features/content/revisions.server.ts';
import { openDatabase } from '#server/database.ts';

/** Why a demonstration cannot be made here; null when it can: no mail may leave, and the database has to be empty (P86). */
export async function whyNot(settings: Settings, progress: (line: string) => void): Promise<string | null> {
  if (settings.smtp) return 'SMTP_URL is set: a demonstration never sends mail. Unset it.';
  const { db, close, place } = await openDatabase(settings, progress);
  try {
    for (const table of ['enrolments', 'enquiries', 'conversations', 'bookings', 'people'] as const) {
      const { count } = await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) > 0)
        return `There are ${count} ${table} in ${place}. A demonstration needs an empty database: name another DATA_DIR.`;
    }
    return (await hasContent(db))
      ? `${place} has been in use. A demonstration needs an empty database: name another DATA_DIR.`
      : null;
  } finally {
    await close();
  }
}
