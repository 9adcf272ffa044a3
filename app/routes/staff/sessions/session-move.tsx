import { data, href } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { readTeachable } from '#app/routes/staff/choices.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { Dialog } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/session-move';
import { Effects, SessionLine } from './effects.tsx';
import { loadEffects } from './load-effects.server.ts';
import { takeSessionMove } from './session-acts.server.ts';
import { sessionLabels } from './session-labels.ts';
import { findSession } from './sessions.server.ts';
import { TimesFields } from './times-fields.tsx';

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:change');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, today);
    if (!session) return null;
    const { seen } = await readHistory(db, `training-session:${slug}`, actionInWords);
    const { instructors } = await readTeachable(db);
    return { session, seen, instructors, ...(await loadEffects(db, session, { change: 'move', today })) };
  });
  if (!found) throw data(`There is no session ${slug}.`, { status: 404 });
  const { session, seen, ...shown } = found;
  const { startDate, endDate, startsAt, endsAt, delivery, enrolmentEnds, instructorSlug, venue, decidedBy } = session;
  const times = {
    startDate,
    endDate,
    startTime: startsAt,
    endTime: endsAt,
    breakMinutes: String(session.breakMinutes),
  };
  const others = { delivery, venue, instructor: instructorSlug, enrolmentEnds, decidedBy };
  return { session, ...shown, form: blankStaffForm(seen, { ...times, ...others }) };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'sessions:change');
  const result = await takeSessionMove(context.get(academyContext), { form: await readForm(request), slug, actor });
  return answerForm(result, href('/staff/sessions/:slug', { slug }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Change this session');

export default function SessionMove({ loaderData, actionData }: Route.ComponentProps) {
  const { session, instructors, effects, chooseUntil } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <Dialog
      from={{ to: href('/staff/sessions/:slug', { slug: session.slug }), text: session.title }}
      title="Change this session"
      line={<SessionLine session={session} />}
      act="move"
      form={form}
      labels={sessionLabels}
      needs="sessions:change"
      className="grid gap-8"
      carries={{ people: session.people }}
      submit="Change the session"
    >
      <TimesFields form={form} instructors={instructors} />
      <Effects change="move" session={session} effects={effects} chooseUntil={chooseUntil} />
    </Dialog>
  );
}
