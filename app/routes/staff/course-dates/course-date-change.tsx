import { data, href } from 'react-router';
import { findCourseDate } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ActForm, ToSendButton } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/course-date-change';
import { ChangeFrame, changeButtons } from './change-frame.tsx';
import { takeCourseDateChange } from './course-date-acts.server.ts';
import { courseDateLabels } from './course-date-labels.ts';
import { MailEffects, MoneyEffects } from './effect-parts.tsx';
import { Effects } from './effects.tsx';
import { loadEffects } from './load-effects.server.ts';
import { tryChange } from './try-change.server.ts';

const isChange = (change: string): change is 'cancel' | 'confirm' => change === 'cancel' || change === 'confirm';

export async function loader({ context, params: { slug, change } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:change');
  if (!isChange(change)) throw data('Here you can confirm, move or cancel a course date.', { status: 404 });
  const academy = context.get(academyContext);
  const { db, clock } = academy;
  const today = academyToday(clock);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, today);
    const history = await readHistory(db, actor, `course-date:${slug}`);
    return (
      courseDate && {
        courseDate,
        history,
        ...(await loadEffects(db, actor, courseDate, { change, today })),
        tried: await tryChange(academy, courseDate.id, { change, actor, reason: null }),
      }
    );
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { history, ...shown } = found;
  return { ...shown, change, form: blankStaffForm(history.seen) };
}

export async function action({ context, request, params: { slug, change } }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  if (!isChange(change)) throw data(null, { status: 404 });
  const form = await readForm(request);
  const result = await takeCourseDateChange(context.get(academyContext), { form, slug, actor, change });
  return answerForm(result, href('/staff/course-dates/:slug', { slug }));
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

export default function CourseDateChange({ loaderData, actionData }: Route.ComponentProps) {
  const { courseDate, change, effects, chooseUntil, isTaught, sums, tried } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { title, later } = words[change];
  const button = changeButtons[change];
  const { over } = tried.notified;
  const mails = tried.mails.length + over;
  return (
    <ChangeFrame change={change} title={title} courseDate={courseDate} form={form} refused={tried.fault}>
      <ActForm
        act={change}
        id="change-form"
        form={form}
        needs="course-dates:change"
        className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]"
        // The last sale or cancellation shown: with another one since, nothing is done.
        carries={{ lastMovement: courseDate.lastMovement }}
        submit={mails === 0 ? button : `${button}, write to ${mails}`}
        back={href('/staff/course-dates/:slug', { slug: courseDate.slug })}
        look={change === 'cancel' ? 'danger' : 'primary'}
        stays={false}
      >
        <div className="grid gap-3">
          {change === 'cancel' && (
            <TextArea
              form={form}
              name="reason"
              label={courseDateLabels.reason}
              hint="Buyers read it in each email. Such as: Too few people enrolled."
            />
          )}
          <ToSendButton formId="change-form" name={button} />
        </div>
        <div className="grid min-w-0 gap-7 lg:row-span-2">
          <Effects
            change={change}
            courseDate={courseDate}
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
