import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type ChosenRecords, chosenRecipients } from '#app/features/runs/chosen-recipients.server.ts';
import { planKey, startWriting } from '#app/features/runs/commands.server.ts';
import type { Addressees } from './take-message.server.ts';

type List = {
  /** Such as `list:enrolments`. */
  subject: string;
  of: ChosenRecords['of'];
  /** The present ids of the chosen records. */
  idsOf(db: Db): Promise<readonly number[] | 'too-many'>;
};

/** The course named in a test mail. */
const anyCourse = { title: 'their course', slug: null, when: 'its days and times', where: 'its room or online' };

/** The recipients behind the chosen records of a list (P79). */
export function chosenAddressees({ subject, of, idsOf }: List): Addressees {
  return {
    subject,
    action: 'write-to-chosen',
    compares: false,
    async who(db, wanted) {
      const ids = await idsOf(db);
      return ids === 'too-many' ? [] : chosenRecipients(db, { of, ids }, wanted);
    },
    keyOf: planKey,
    async start(trx, asked, moment) {
      const ids = await idsOf(trx);
      if (ids === 'too-many') return { ok: false, reason: 'too-many' };
      return startWriting(trx, { records: { of, ids }, ...asked }, moment);
    },
    sample: async () => ({ course: anyCourse, path: href('/courses'), about: 'nothing' }),
  };
}
