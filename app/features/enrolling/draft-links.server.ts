import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { type Filling, tokenOf } from '#app/outbox/private-links.server.ts';
import { stepPath } from './steps.ts';

/** What mails call the link to what somebody fills in to enrol. */
export const draftLink = (draftId: number): string => `enrolment-draft:${draftId}`;

/** Further links to a draft, for the address that its holder typed, as long as the draft is kept. */
export const draftFilling: Filling = {
  async concerns(db, [id = 0]) {
    const query = db.selectFrom('enrolment_drafts').select('id').where('id', '=', id);
    return (await query.executeTakeFirst()) !== undefined;
  },
  async make(trx, [id = 0], origin) {
    const token = makeToken();
    const link = { token_hash: hashOfToken(token), draft_id: id };
    await trx.insertInto('enrolment_draft_links').values(link).execute();
    return origin + stepPath(token, 'choice');
  },
  async end(trx, links) {
    const hashes = links.map((link) => hashOfToken(tokenOf(link)));
    await trx.deleteFrom('enrolment_draft_links').where('token_hash', 'in', hashes).execute();
  },
};
