import { z } from 'zod';
import { makeAccountantFiles } from '#app/features/money/accountant/files.server.ts';
import { accountCode } from '#app/features/money/accountant/xero.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { common, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';

const schema = z.object({
  ...common,
  kind: z.enum(['tax-invoice', 'adjustment-note']),
  until: z.iso.date('Enter the last day of issue.'),
  account: z
    .string()
    .trim()
    .regex(accountCode, 'Enter the code of an account in Xero: up to ten letters, digits, dots and hyphens.'),
});

/** Makes the files of what was issued by a day; a second request at the same time answers with the files of the first (P25). */
export const takeMaking = (
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> =>
  takeStaffAct(academy, {
    form,
    actor,
    schema,
    subject: 'accountant:files',
    words: { where: 'the list of files' },
    async act(trx, { kind, until, account }, { now }) {
      const files = await makeAccountantFiles(trx, { kind, until, accountCode: account, actor, at: now });
      if (files === 0) {
        return { ok: false, reason: 'refused', errors: { until: 'Nothing new was issued by that day.' } };
      }
      return { ok: true, did: { action: 'make-accountant-files', details: { kind, until, files } } };
    },
  });
