import { data, href } from 'react-router';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Facts, History, Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/live-hour';
import { takeHourAct } from './live-hour-acts.server.ts';
import { liveHourLabels } from './live-hour-labels.ts';
import { readHourShown } from './live-hours.server.ts';

const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const id = idOf(params.id);
  const found = await unlessDatabaseAway(async () => ({
    shown: await readHourShown(db, actor, id, { today: academyToday(clock), now: clock.now() }),
    history: await readHistory(db, actor, `live-hour:${id}`),
  }));
  const { shown, history } = found;
  if (!shown) throw data('There is no such live hour.', { status: 404 });
  return { ...shown, history: history.entries, form: blankStaffForm(history.seen, { link: shown.link }) };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'course-dates:change');
  const id = idOf(params.id);
  const result = await takeHourAct(context.get(academyContext), { form: await readForm(request), actor, id });
  return answerForm(result, href('/staff/live-hours/:id', { id: params.id }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Live hour, ${loaderData.title}` : 'Live hour');

/** The weekly live hour of a course: when, who may come, its link, weeks without it, its end (P60). */
export default function LiveHour({ loaderData, actionData }: Route.ComponentProps) {
  const { title, instructor, weekly, isOver, link, next, days, people, history } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/classes')}>Classes</Back>
      <h1 className="text-2xl wrap-anywhere">Live hour, {title}</h1>
      <p className="tabular mt-1 mb-5 text-mute">
        {isOver ? 'Over. ' : ''}
        {weekly}, with {instructor}. Not on public holidays.
      </p>
      {!isOver && <WhoMay needs="course-dates:change" />}
      <ErrorSummary form={form} labels={liveHourLabels} formId="off-form" />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid content-start gap-8">
          <Panel title="Who may come">
            {people.length === 0 ? (
              <Words>Nobody studies this course in guided study at the moment.</Words>
            ) : (
              <ul className="border-t border-line">
                {people.map(({ id, name, begins, needs }) => (
                  <li key={id} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2.5">
                    <span className="min-w-0 wrap-anywhere">
                      <b>{name}</b>
                      {needs && <span className="block text-sm text-mute">{needs}</span>}
                    </span>
                    <span className="tabular text-sm text-mute">
                      {begins}{' '}
                      <OnlyWith permission="certificates:issue">
                        <TextLink to={href('/staff/places/:placeId/certificate', { placeId: String(id) })}>
                          Certificate
                        </TextLink>
                      </OnlyWith>
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          <History entries={history} />
        </div>
        <div className="grid content-start gap-8">
          <Facts
            facts={[
              ['Next', next],
              [
                'Link',
                link && (
                  <a href={link} rel="noreferrer" className="font-bold text-link underline underline-offset-4">
                    Open the live hour
                  </a>
                ),
              ],
            ]}
          />
          {!isOver && (
            <>
              <ActForm
                act="off"
                form={form}
                needs="course-dates:change"
                submit="Cancel this week and email them"
                look="danger"
              >
                <SelectField form={form} name="day" label={liveHourLabels.day} required>
                  <Options none="Choose" of={days.map(({ day, text }) => [day, text])} />
                </SelectField>
                <TextField
                  form={form}
                  name="reason"
                  label={liveHourLabels.reason}
                  hint="A sentence that they read in the email."
                  required
                />
              </ActForm>
              <ActForm act="link" form={form} needs="course-dates:change" submit="Change the link and email them">
                <TextField
                  form={form}
                  name="link"
                  label={liveHourLabels.link}
                  inputMode="url"
                  autoComplete="off"
                  required
                />
              </ActForm>
              <ActForm act="end" form={form} needs="course-dates:change" submit="End it and email them" look="danger">
                <TextField form={form} name="from" label={liveHourLabels.from} type="date" required />
              </ActForm>
            </>
          )}
        </div>
      </div>
    </>
  );
}
