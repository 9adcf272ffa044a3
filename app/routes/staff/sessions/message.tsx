import { data, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { messagesTo } from '#app/features/runs/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { Compose, usualMessage } from '#app/routes/staff/runs/compose.tsx';
import { answerMessage, takeMessage } from '#app/routes/staff/runs/take-message.server.ts';
import { Section } from '#app/ui/staff/heads.tsx';
import { Back, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/message';
import { sessionAddressees } from './session-addressees.server.ts';
import { groupsOfDate } from './session-labels.ts';
import { findSession } from './sessions.server.ts';

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db, clock } = context.get(academyContext);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, academyToday(clock));
    if (!session) return null;
    const { seen } = await readHistory(db, actor, `training-session:${slug}`);
    return {
      session,
      form: blankStaffForm(seen, usualMessage('attendees')),
      sent: await messagesTo(db, actor, session.id),
    };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { session, form, sent } = found;
  return {
    form,
    session: { slug, title: session.title, days: session.days, where: session.where },
    sent: sent.map(({ id, subject, due_at, stopped_at, ended_at, made_by }) => ({
      id: String(id),
      subject: subject ?? '',
      state: `${formatMoment(due_at)}, by ${made_by ?? 'somebody who left'}${stopped_at ? ', stopped' : ended_at ? ', sent' : ', not sent yet'}`,
    })),
  };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const asked = { form: await readForm(request), actor, addressees: sessionAddressees(slug) };
  const taken = await takeMessage(context.get(academyContext), asked);
  return answerMessage(taken, href('/staff/sessions/:slug/message', { slug }));
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Write to a course date');

/** Staff write to the people of a course date (P80). */
export default function Message({ loaderData, actionData }: Route.ComponentProps) {
  const { session, sent } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const preview = actionData && 'preview' in actionData ? actionData.preview : null;
  const told = actionData && 'told' in actionData ? actionData.told : '';
  return (
    <>
      <Back to={href('/staff/sessions/:slug', { slug: session.slug })}>{session.title}</Back>
      <h1 className="text-2xl">Write to this course date</h1>
      <p className="tabular mt-1 mb-4">
        <Unbroken text={`${session.title}, ${session.days}, ${session.where}`} />
      </p>
      <Compose
        form={form}
        groups={groupsOfDate}
        service="About this course date. People need it to attend, so no consent is needed."
        preview={preview}
        told={told}
      >
        {sent.length > 0 && (
          <Section title="Messages to this course date">
            <ul>
              {sent.map(({ id, subject, state }) => (
                <li key={id} className="border-b border-line py-1.5">
                  <TextLink to={href('/staff/runs/:id', { id })}>{subject}</TextLink>
                  <span className="block text-sm text-mute">
                    <Unbroken text={state} />
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Compose>
    </>
  );
}
