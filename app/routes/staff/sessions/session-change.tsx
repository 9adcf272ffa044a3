import { data, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ActForm, ToSendButton } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/session-change';
import { ChangeFrame, changeButtons } from './change-frame.tsx';
import { MailEffects, MoneyEffects } from './effect-parts.tsx';
import { Effects } from './effects.tsx';
import { loadEffects } from './load-effects.server.ts';
import { takeSessionChange } from './session-acts.server.ts';
import { sessionLabels } from './session-labels.ts';
import { findSession } from './sessions.server.ts';
import { tryChange } from './try-change.server.ts';

const isChange = (change: string): change is 'cancel' | 'confirm' => change === 'cancel' || change === 'confirm';

export async function loader({ context, params: { slug, change } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:change');
  if (!isChange(change)) throw data('Here you can confirm, move or cancel a course date.', { status: 404 });
  const academy = context.get(academyContext);
  const { db, clock } = academy;
  const today = academyToday(clock);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, today);
    const history = await readHistory(db, actor, `training-session:${slug}`);
    return (
      session && {
        session,
        history,
        ...(await loadEffects(db, actor, session, { change, today })),
        tried: await tryChange(academy, session.id, { change, actor, reason: null }),
      }
    );
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
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
  cancel: {
    title: 'Cancel this course date?',
    later: 'If nobody chooses another date',
  },
  confirm: { title: 'Run this course date?', later: 'Later' },
};

export const meta: Route.MetaFunction = ({ params }) =>
  staffMeta(params.change === 'confirm' ? words.confirm.title : words.cancel.title);

export default function SessionChange({ loaderData, actionData }: Route.ComponentProps) {
  const { session, change, effects, chooseUntil, isTaught, sums, tried } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { title, later } = words[change];
  const button = changeButtons[change];
  const { over } = tried.heard;
  const mails = tried.mails.length + over;
  return (
    <ChangeFrame change={change} title={title} session={session} form={form} refused={tried.fault}>
      <ActForm
        act={change}
        id="change-form"
        form={form}
        needs="sessions:change"
        className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]"
        // The last sale or cancellation shown: with another one since, nothing is done.
        carries={{ lastMovement: session.lastMovement }}
        submit={mails === 0 ? button : `${button}, write to ${mails}`}
        back={href('/staff/sessions/:slug', { slug: session.slug })}
        look={change === 'cancel' ? 'danger' : 'primary'}
        stays={false}
      >
        <div className="grid gap-3">
          {change === 'cancel' && (
            <TextArea
              form={form}
              name="reason"
              label={sessionLabels.reason}
              hint="Buyers read it in each email. Such as: Too few people enrolled."
            />
          )}
          <ToSendButton formId="change-form" name={button} />
        </div>
        <div className="grid min-w-0 gap-7 lg:row-span-2">
          <Effects
            change={change}
            session={session}
            effects={effects}
            chooseUntil={chooseUntil}
            isTaught={isTaught}
            waiting={over}
          />
          {effects.length > 0 && <MoneyEffects sums={sums} later={later} />}
          <MailEffects mails={tried.mails} />
        </div>
      </ActForm>
    </ChangeFrame>
  );
}
