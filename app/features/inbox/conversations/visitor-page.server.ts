import type { Academy } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { findByToken } from './links.server.ts';
import { openingText } from './opening-hours.ts';
import { readForVisitor } from './queries.server.ts';

/** The data of the visitor's page, read again while it is open; null when the link leads nowhere. */
export async function readVisitorPage(
  { db, clock }: Pick<Academy, 'db' | 'clock'>,
  token: string,
  holidays: ReadonlySet<Day>,
) {
  const now = clock.now();
  const id = await findByToken(db, token);
  const conversation = id === null ? null : await readForVisitor(db, id, now);
  if (!conversation) return null;
  return { ...conversation, hours: openingText(now, holidays) };
}
export type VisitorPage = NonNullable<Awaited<ReturnType<typeof readVisitorPage>>>;
