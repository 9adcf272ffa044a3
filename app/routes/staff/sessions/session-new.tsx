import { Form, href, useNavigation } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { readTeachable } from '#app/routes/staff/choices.server.ts';
import { ActFields, Back } from '#app/routes/staff/frame/parts.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { sessionLabels } from '#app/routes/staff/labels.ts';
import { button } from '#app/ui/button.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/session-new';
import { takeNewSession } from './session-acts.server.ts';
import { TimesFields } from './times-fields.tsx';
import { WayInFields } from './way-in-fields.tsx';

const usual = { startTime: '09:00', endTime: '17:00', breakMinutes: '60', delivery: 'online', minimum: '1' };

export async function loader({ context, url }: Route.LoaderArgs) {
  staffFor(context, 'sessions:change');
  const { db } = context.get(academyContext);
  const found = await orAway(async () => ({
    ...(await readTeachable(db)),
    history: await readHistory(db, 'training-session:new', actionInWords),
  }));
  const { history, ...teachable } = found;
  const fresh = blankStaffForm(history.seen);
  const values = { ...fresh.values, ...usual, course: url.searchParams.get('course') ?? '' };
  return { ...teachable, form: { ...fresh, values } };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'sessions:change');
  const result = await takeNewSession(context.get(academyContext), { form: await readForm(request), actor });
  const { slug } = result;
  return answerForm(result, slug ? href('/staff/sessions/:slug', { slug }) : href('/staff/sessions'));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => staffMeta('New session');

export default function SessionNew({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/sessions')}>Sessions</Back>
      <h1 className="mb-6 text-2xl">New session</h1>
      <ErrorSummary form={form} labels={sessionLabels} formId="new-form" />
      <Form id="new-form" method="post" noValidate className="grid max-w-3xl gap-4">
        <ActFields form={form} act="new" />
        <SelectField form={form} name="course" label={sessionLabels.course} required>
          <option value="">Choose</option>
          {loaderData.courses.map(({ slug, title }) => (
            <option key={slug} value={slug}>
              {title}
            </option>
          ))}
        </SelectField>
        <TimesFields form={form} instructors={loaderData.instructors} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <WayInFields form={form} delivery={null} />
          <TextField form={form} name="capacity" label={sessionLabels.capacity} inputMode="numeric" required />
          <TextField
            form={form}
            name="minimum"
            label={sessionLabels.minimum}
            hint="From how many people on it is held."
            inputMode="numeric"
            required
          />
        </div>
        <div>
          <button type="submit" disabled={sending} className={button.primary}>
            Make the session
          </button>
        </div>
      </Form>
    </>
  );
}
