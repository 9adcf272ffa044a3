import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import { common, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { revokeCertificate, undoCertificate } from '#app/features/study/certificates/end-certificate.server.ts';
import { type Revocation, revocations } from '#app/features/study/certificates/facts.ts';
import { decideName } from '#app/features/study/certificates/holder.server.ts';
import { keepCertificate } from '#app/features/study/certificates/staff-list.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';

const whys = Object.keys(revocations) as [Revocation, ...Revocation[]];

const schema = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('revoke'), why: z.enum(whys, 'Choose why.') }),
  z.object({ ...common, act: z.literal('undo') }),
  z.object({ ...common, act: z.literal('take-name') }),
  z.object({ ...common, act: z.literal('refuse-name'), reason: requiredLine('why the old name stays', 300) }),
  z.object({ ...common, act: z.literal('let-stand') }),
]);

type Asked = { form: FormData | null; number: string; actor: StaffActor };

/** Takes the forms of a certificate's page for staff. */
export function takeCertificateAct(academy: Academy, { form, number, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema,
    subject: `certificate:${number}`,
    actor,
    async act(trx, data, moment) {
      const { now } = moment;
      const result = await (async () => {
        switch (data.act) {
          case 'revoke':
            return revokeCertificate(trx, { number, why: data.why, actor }, moment);
          case 'undo':
            return undoCertificate(trx, { number, actor }, now);
          case 'take-name':
            return decideName(trx, { number, take: true, actor }, moment);
          case 'refuse-name':
            return decideName(trx, { number, take: false, why: data.reason, actor }, moment);
          case 'let-stand':
            return (await keepCertificate(trx, { number, actor }, now))
              ? ({ ok: true } as const)
              : ({ ok: false, reason: 'ended' } as const);
        }
      })();
      if (!result.ok) {
        if (result.reason === 'unknown') return { ok: false, reason: 'missing' };
        return { ok: false, reason: 'refused', fault: whyNot[result.reason] };
      }
      const action = actions[data.act];
      return {
        ok: true,
        did: data.act === 'revoke' ? { action, details: { why: revocations[data.why] } } : { action },
      };
    },
  });
}

const actions = {
  revoke: 'revoke-certificate',
  undo: 'undo-certificate',
  'take-name': 'take-certificate-name',
  'refuse-name': 'refuse-certificate-name',
  'let-stand': 'let-certificate-stand',
};

const whyNot = {
  ended: 'This certificate is no longer valid.',
  'too-late': 'It can no longer be undone: 15 minutes have passed. You can revoke it.',
  'nothing-asked': 'Nobody asks for another name any more.',
};
