import { z } from 'zod';
import { answerFields } from '#app/features/inbox/answer-fields.ts';
import { templateFault } from '#app/features/inbox/bulk-actions/fields.ts';
import {
  changeTemplate,
  mostTemplates,
  type NotKept,
  retireTemplate,
  writeTemplate,
} from '#app/features/inbox/templates.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { requiredLine, requiredText } from '#app/http/form-texts.ts';

const texts = {
  name: requiredLine('a name', 60),
  body: requiredText('what the answer says').superRefine((text, context) => {
    const message = templateFault(text, answerFields);
    if (message) context.addIssue({ code: 'custom', message });
  }),
};
const newForm = z.object({ ...common, act: z.literal('write'), ...texts });
const ownForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('change'), ...texts }),
  z.object({ ...common, act: z.literal('retire') }),
  z.object({ ...common, act: z.literal('use-again') }),
]);

type Asked = { form: FormData | null; actor: StaffActor };

/** Takes the form of a new template (P81). */
export function takeNewTemplate(academy: Academy, asked: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    ...asked,
    schema: newForm,
    subject: 'template:new',
    compares: false,
    async act(trx, { name, body }, { now }) {
      const written = await writeTemplate(trx, { name, body }, { actor: asked.actor, at: now });
      return written.ok ? { ok: true, did: null } : notKept(written);
    },
  });
}

/** Takes the forms of a template's own page: change, retire, use again. */
export function takeTemplateAct(academy: Academy, { id, ...asked }: Asked & { id: number }): Promise<StaffFormResult> {
  const { actor } = asked;
  return takeStaffAct(academy, {
    ...asked,
    schema: ownForm,
    subject: `template:${id}`,
    async act(trx, values, { now }): Promise<ActDone | ReturnType<typeof notKept>> {
      const done =
        values.act === 'change'
          ? await changeTemplate(trx, { id, name: values.name, body: values.body }, actor)
          : await retireTemplate(trx, { id, at: values.act === 'retire' ? now : null }, actor);
      return done.ok ? { ok: true, did: { action: `${values.act}-template` } } : notKept(done);
    },
  });
}

function notKept({ reason }: NotKept): Refused | { ok: false; reason: 'missing' } {
  switch (reason) {
    case 'missing':
      return { ok: false, reason };
    case 'name-taken':
      return { ok: false, reason: 'refused', errors: { name: 'Another template in use has this name.' } };
    case 'too-many':
      return { ok: false, reason: 'refused', fault: `${mostTemplates} templates are in use. Retire one first.` };
  }
}
