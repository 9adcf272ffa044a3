import { href } from 'react-router';
import { z } from 'zod';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { hasInboxKeys, setInboxKeys } from '#app/features/people/staff-settings.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { blankStaffForm, common, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/keys';
import { KeyList } from './key-list.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'inbox:work');
  const on = await orAway(() => hasInboxKeys(context.get(academyContext).db, actor));
  return { on, form: blankStaffForm(0) };
}

const keysForm = z.object({ ...common, act: z.enum(['keys-on', 'keys-off']) });

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'inbox:work');
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema: keysForm,
    subject: `person:${actor.person.id}`,
    actor,
    compares: false,
    async act(trx, { act }) {
      await setInboxKeys(trx, act === 'keys-on', actor);
      return { ok: true, did: null };
    },
  });
  return answerForm(result, href('/staff/inbox/keys'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Keys of the inbox');

/** Lists the keys of the inbox and switches them on and off, for oneself (WCAG 2.1.4). */
export default function Keys({ loaderData, actionData }: Route.ComponentProps) {
  const { on } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <DialogHead
        from={{ to: href('/staff/inbox'), text: 'Inbox' }}
        title="Keys of the inbox"
        explains="They work while the inbox is open and you are not typing. They need JavaScript."
      />
      <ErrorSummary form={form} labels={{}} formId={on ? 'keys-off-form' : 'keys-on-form'} />
      <KeyList />
      <p role="status" className="mt-6 mb-3">
        {on ? 'The keys are on for you.' : 'The keys are off for you.'}
      </p>
      <ActForm
        act={on ? 'keys-off' : 'keys-on'}
        form={form}
        needs="inbox:work"
        submit={on ? 'Switch the keys off' : 'Switch the keys on'}
      />
    </>
  );
}
