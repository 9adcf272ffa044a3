import { data, href } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/session-change';
import { Effects, SessionLine } from './effects.tsx';
import { loadEffects } from './load-effects.server.ts';
import { takeSessionChange } from './session-acts.server.ts';
import { findSession } from './sessions.server.ts';

const isChange = (change: string): change is 'cancel' | 'confirm' => change === 'cancel' || change === 'confirm';

export async function loader({ context, params: { slug, change } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:change');
  if (!isChange(change)) throw data('Here you can confirm, move or cancel a session.', { status: 404 });
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, today);
    const history = await readHistory(db, `training-session:${slug}`, actionInWords);
    return session && { session, history, ...(await loadEffects(db, session, { change, today })) };
  });
  if (!found) throw data(`There is no session ${slug}.`, { status: 404 });
  const { history, ...shown } = found;
  return { ...shown, change, form: blankStaffForm(history.seen) };
}

export async function action({ context, request, params: { slug, change } }: Route.ActionArgs) {
  const actor = staffFor(context, 'sessions:change');
  if (!isChange(change)) throw data(null, { status: 404 });
  const form = await readForm(request);
  const result = await takeSessionChange(context.get(academyContext), { form, slug, actor, change });
  return answerForm(result, href('/staff/sessions/:slug', { slug }));
}

export const clientAction = sendStaffForm;

const words = {
  cancel: { title: 'Cancel this session?', button: 'Cancel the session' },
  confirm: { title: 'Confirm this session?', button: 'Confirm the session' },
};

export const meta: Route.MetaFunction = ({ params }) =>
  staffMeta(params.change === 'confirm' ? words.confirm.title : words.cancel.title);

export default function SessionChange({ loaderData, actionData }: Route.ComponentProps) {
  const { session, change, effects, chooseUntil } = loaderData;
  return (
    <Dialog
      from={{ to: href('/staff/sessions/:slug', { slug: session.slug }), text: session.title }}
      title={words[change].title}
      line={<SessionLine session={session} />}
      act={change}
      id="change-form"
      form={actionData?.form ?? loaderData.form}
      labels={{}}
      needs="sessions:change"
      className="grid gap-6"
      // What this page shows, so that nothing is done to people who are not on it.
      carries={{ people: session.people }}
      submit={words[change].button}
    >
      <Effects change={change} session={session} effects={effects} chooseUntil={chooseUntil} />
    </Dialog>
  );
}
