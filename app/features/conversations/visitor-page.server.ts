import type { Forms } from '#app/http/forms.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import type { Day } from '#app/lib/dates.ts';
import { findByToken } from './links.server.ts';
import { readPresence } from './presence.server.ts';
import { readForVisitor } from './queries.server.ts';

/** What the visitor's page shows and, while it is open, reads again; null when the link leads nowhere. */
export async function readVisitorPage(
  { db, trueNow }: Pick<Forms, 'db' | 'trueNow'>,
  token: string,
  { clock, holidays }: { clock: Clock; holidays: ReadonlySet<Day> },
) {
  const id = await findByToken(db, token);
  const conversation = id === null ? null : await readForVisitor(db, id, trueNow());
  if (!conversation) return null;
  return { ...conversation, presence: await readPresence(db, { now: clock.now(), trueNow: trueNow(), holidays }) };
}
export type VisitorPage = NonNullable<Awaited<ReturnType<typeof readVisitorPage>>>;
