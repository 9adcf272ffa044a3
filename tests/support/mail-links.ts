import type { Db } from '#app/db/client.server.ts';
import { filledIn, type PrivateLinks } from '#app/outbox/private-links.server.ts';
import { openPrivateLinks } from '#server/private-links.ts';

const trueTime = () => ({ now: new Date(), at: new Date() });

/** The private links of mails, as the program makes them; the clocks are for how long an offer stands. */
export const mailLinks = (circumstances: () => { now: Date; at: Date } = trueTime): PrivateLinks =>
  openPrivateLinks('http://localhost:3000', circumstances);

/** The words of a queued mail, as the table has them, with the private links that an attempt would send now. */
export async function withLinks(db: Db, words: string | undefined, circumstances = trueTime()): Promise<string> {
  const text = words ?? '';
  const mail = await db
    .selectFrom('mails')
    .select(['recipient', 'links'])
    .where('body_text', '=', text)
    .orderBy('queued_at', 'desc')
    .executeTakeFirst();
  const filled = mail && (await mailLinks(() => circumstances).make(db, mail));
  return filled ? filledIn({ text, html: '' }, filled).text : text;
}
