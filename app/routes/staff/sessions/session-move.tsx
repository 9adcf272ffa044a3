import { data, Form, href, useNavigation } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { readTeachable } from '#app/routes/staff/choices.server.ts';
import { ActFields, ActOrLeave, Back } from '#app/routes/staff/frame/parts.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { sessionLabels } from '#app/routes/staff/labels.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/session-move';
import { Effects } from './effects.tsx';
import { loadEffects } from './load-effects.server.ts';
import { takeSessionMove } from './session-acts.server.ts';
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
  const fresh = blankStaffForm(seen);
  const { startDate, endDate, delivery, enrolmentEnds, instructorSlug } = session;
  const times = { startDate, endDate, startTime: session.startsAt, endTime: session.endsAt, delivery, enrolmentEnds };
  const others = {
    breakMinutes: String(session.breakMinutes),
    venue: session.venue ?? '',
    instructor: instructorSlug,
    decidedBy: session.decidedBy ?? '',
  };
  return { session, ...shown, form: { ...fresh, values: { ...fresh.values, ...times, ...others } } };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'sessions:change');
  const result = await takeSessionMove(context.get(academyContext), { form: await readForm(request), slug, actor });
  return answerForm(result, href('/staff/sessions/:slug', { slug }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => staffMeta('Change this session');

export default function SessionMove({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const { session, instructors, effects, chooseUntil } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const back = href('/staff/sessions/:slug', { slug: session.slug });
  return (
    <>
      <Back to={back}>{session.title}</Back>
      <h1 className="text-2xl">Change this session</h1>
      <p className="tabular mt-1 mb-6 text-mute">
        {session.title}, {session.days}, {session.where}
      </p>
      <ErrorSummary form={form} labels={sessionLabels} formId="move-form" />
      <Form id="move-form" method="post" noValidate className="grid gap-8">
        <ActFields form={form} act="move" />
        <input type="hidden" name="people" value={session.people} />
        <TimesFields form={form} instructors={instructors} />
        <Effects change="move" session={session} effects={effects} chooseUntil={chooseUntil} />
        <ActOrLeave back={back} sending={sending}>
          Change the session
        </ActOrLeave>
      </Form>
    </>
  );
}
