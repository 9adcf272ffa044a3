import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import { common, readStaffForm, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { undoCertificate } from '#app/features/study/certificates/end-certificate.server.ts';
import { issueToGroup } from '#app/features/study/certificates/group.server.ts';
import { markWork, type NotMarkedWork } from '#app/features/study/certificates/mark-work.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { areInReach } from '#app/features/study/certificates/queries.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { workBox } from './work-box.ts';

/** A place's box in the form of the work, by the place's id; beside it stands how it was. */
export const workBoxOf = (placeId: number): string => `work-${placeId}`;

/** A place's box in the form, by its id. */
export const boxOf = (placeId: number): string => `place-${placeId}`;

type Asked = {
  form: FormData | null;
  actor: StaffActor;
  onFailure(error: unknown): void;
};

/** Takes a form of a page that issues certificates: issuing to those who are ticked, undoing one, or whose work is accepted. */
export function takeIssuing(academy: Academy, asked: Asked): Promise<StaffFormResult> {
  const { act } = textsOf(asked.form);
  if (act === 'work') return work(academy, asked);
  return act === 'undo' ? undo(academy, asked) : issue(academy, asked);
}

const workForm = z.looseObject(common);

/** Only what was changed on the page: somebody else may have accepted the work of others since (P61). */
function work(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: workForm,
    subject: 'certificate:group',
    actor,
    compares: false,
    words,
    async act(trx, data, { now }) {
      const shown = Object.keys(data).flatMap((name) => Number(/^was-work-(\d{1,15})$/.exec(name)?.[1] ?? 0) || []);
      if (shown.length === 0 || !(await areInReach(trx, actor, shown))) {
        return { ok: false, reason: 'refused', fault: whyNoWork.unknown };
      }
      for (const placeId of shown) {
        const accepted = data[workBoxOf(placeId)] === 'on';
        if ((data[`was-${workBoxOf(placeId)}`] === 'on') === accepted) continue;
        const marked = await markWork(trx, { placeId, accepted }, { actor, now });
        if (!marked.ok) return { ok: false, reason: 'refused', fault: whyNoWork[marked.reason] };
      }
      return { ok: true, did: null };
    },
  });
}

const whyNoWork: Record<NotMarkedWork['reason'], string> = {
  unknown: 'Somebody in the list is no longer here, or their place asks for no work. Nothing was saved.',
  issued: 'Somebody in the list has a certificate by now, which says that the work was accepted. Nothing was saved.',
};

const issueForm = z.looseObject(common);
const words = { kept: '', where: 'the list below' };

/** Not one transaction: each person has their own, and a repeat of the form finds what was issued (P64). */
function issue(academy: Academy, { form, actor, onFailure }: Asked): Promise<StaffFormResult> {
  const subject = 'certificate:group';
  return readStaffForm({ form, schema: issueForm, subject, actor, words }, async (data, _, refused) => {
    const placeIds = Object.keys(data).flatMap((name) => Number(/^place-(\d{1,15})$/.exec(name)?.[1] ?? 0) || []);
    if (placeIds.length === 0) return refused({ ok: false, reason: 'refused', fault: 'Tick at least one person.' });
    const wish = { placeIds, workAccepted: data[workBox] === 'on', actor, onFailure };
    const { refused: why } = await issueToGroup(academy.db, wish, momentOf(academy));
    if (why.size === 0) return { ok: true };
    const reasons = [...new Set([...why.values()].flat())].join(' ');
    const all = why.size === placeIds.length;
    const fault = `${all ? 'No certificate was issued' : `${why.size} of ${placeIds.length} got no certificate`}. ${reasons}`;
    return refused({ ok: false, reason: 'refused', fault });
  });
}

const undoForm = z.object({ ...common, [tokenField]: z.uuid(), number: z.string() });

function undo(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  const { number = '' } = textsOf(form);
  return takeStaffAct(academy, {
    form,
    schema: undoForm,
    subject: `certificate:${number}`,
    actor,
    compares: false,
    words,
    async act(trx, data, { now }) {
      const result = await undoCertificate(trx, { number: data.number, actor }, now);
      if (result.ok) return { ok: true, did: { action: 'undo-certificate' } };
      if (result.reason === 'unknown') return { ok: false, reason: 'missing' };
      return { ok: false, reason: 'refused', fault: whyNot[result.reason](inFours(data.number)) };
    },
  });
}

const whyNot = {
  'too-late': (number: string) =>
    `${number} can no longer be undone: 15 minutes have passed. It can be revoked on its own page.`,
  ended: (number: string) => `${number} is no longer valid.`,
};
