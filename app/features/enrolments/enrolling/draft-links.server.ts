import { type Filling, makeLink } from '#app/outbox/private-links.server.ts';
import { resume } from './draft-summary.ts';
import { stepPath } from './steps.ts';

/** The name by which mails ask for the link to an unfinished enrolment. */
export const draftLink = (draftId: number): string => `enrolment-draft:${draftId}`;

/** Further links to a draft, for the address that its holder typed, as long as the draft is kept. */
export const draftFilling: Filling = {
  async concerns(db, [id = 0]) {
    const query = db.selectFrom('enrolment_drafts').select('id').where('id', '=', id);
    return (await query.executeTakeFirst()) !== undefined;
  },
  make: async (trx, [id = 0], origin) =>
    `${origin}${stepPath(await makeLink(trx, { enrolment_draft_id: id }), 'choice')}?${resume}`,
};
