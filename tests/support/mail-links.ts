import type { Db } from '#app/db/client.server.ts';
import { filledIn, type PrivateLinks } from '#app/outbox/private-links.server.ts';
import { openPrivateLinks } from '#server/private-links.ts';

/** The private links of mails, as the program makes them; `now` decides how long an offer is open. */
export const mailLinks = (now = () => new Date()): PrivateLinks =>
  openPrivateLinks('http://localhost:3000', { now, aheadMs: 0 });

/** The words of a queued mail, as the table has them, with the private links that an attempt would send now. */
export async function withLinks(db: Db, words: string | undefined, { now } = { now: new Date() }): Promise<string> {
  const text = words ?? '';
  const mail = await db
    .selectFrom('mails')
    .select(['recipient', 'links'])
    .where('body_text', '=', text)
    .orderBy('queued_at', 'desc')
    .executeTakeFirst();
  const filled = mail && (await mailLinks(() => now).make(db, mail));
  return filled ? filledIn({ text, html: '' }, filled).text : text;
}

/** How many private links lead to an enrolment. */
export async function countLinks(db: Db, enrolmentId: number): Promise<number> {
  const links = db.selectFrom('private_links').select('token_hash').where('enrolment_id', '=', enrolmentId);
  return (await links.execute()).length;
}
