import { useContext } from 'react';
import { data, href } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readClassDay } from '#app/features/study/classes.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { field as fieldLook, select } from '#app/ui/field.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, MayContext, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/class-details';
import { CannotCome, MarksAsText } from './class-parts.tsx';
import { isChanged, markAsText } from './mark-texts.ts';
import { answerClassForm } from './marking-forms.server.ts';

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const asked = { slug, day: url.searchParams.get('day'), today: academyToday(clock), now: clock.now() };
  const found = await unlessDatabaseAway(() => readClassDay(db, actor, asked));
  if (!found) throw data(`There is no class ${slug}.`, { status: 404 });
  return { ...found, form: blankStaffForm(0) };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'attendance:mark');
  return answerClassForm(context.get(academyContext), { form: await readForm(request), slug, actor });
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Late, left or absent, ${loaderData.courseDate.title}` : 'Late, left or absent');

const marks = [
  ['present', 'Here'],
  ['absent', 'Absent'],
  ['excused', 'Excused'],
] as const;

/**
 * The marks of a day: late, left early, absent or excused; after the last day they are corrections (P59). To read for
 * those who may not change them.
 */
export default function ClassDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { courseDate, day, isOver, hasCome, people } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { values, errors } = form;
  const back = `${href('/staff/classes/:slug', { slug: courseDate.slug })}?day=${day}`;
  const needs = isOver ? 'attendance:correct' : 'attendance:mark';
  const mayChange = useContext(MayContext).has(needs);
  return (
    <div className="mx-auto max-w-2xl">
      <Back to={back}>{courseDate.title}</Back>
      <h1 className="text-2xl">{!mayChange ? 'Marks' : isOver ? 'Correct marks' : 'Came late, left or absent'}</h1>
      <p className="mt-1 mb-4 text-mute">
        {formatDay(day)}.{mayChange && ' Write how many minutes somebody came late, or left early.'}
      </p>
      <WhoMay needs={needs} what="change marks" />
      <ErrorSummary
        form={form}
        labels={{ reason: 'Reason', ...Object.fromEntries(people.map((one) => [`late-${one.placeId}`, one.name])) }}
        formId="details-form"
      />
      {!hasCome ? (
        <p>This day has not come yet.</p>
      ) : !mayChange ? (
        <MarksAsText people={people} hasCome />
      ) : (
        <ActForm
          act="details"
          form={form}
          needs={needs}
          carries={{ day }}
          className="grid gap-5"
          submit="Save"
          back={back}
        >
          {people.map((person) => {
            const { placeId, name, call, cannotCome, mark, minutesLate, minutesLeftEarly } = person;
            // Who was not touched is shown as marked by now: somebody else may have done it.
            const typed = isChanged(values, placeId) ? values : {};
            const minutes = (field: 'late' | 'early', label: string, stored: number) => (
              <label className="grid gap-1 text-sm">
                {label}
                <input
                  id={`${field}-${placeId}`}
                  name={`${field}-${placeId}`}
                  inputMode="numeric"
                  defaultValue={typed[`${field}-${placeId}`] ?? (stored === 0 ? '' : stored)}
                  aria-invalid={errors[`late-${placeId}`] ? true : undefined}
                  className={`${fieldLook} tabular`}
                />
              </label>
            );
            return (
              <fieldset
                key={placeId}
                className="grid grid-cols-[1.5fr_1fr_1fr] items-end gap-3 border-b border-line pb-4"
              >
                <legend className="mb-1 font-bold wrap-anywhere">{name}</legend>
                <input type="hidden" name={`was-${placeId}`} value={markAsText(person)} />
                {call && (
                  <p className="col-span-3 text-sm">
                    <a
                      href={`tel:${call.number}`}
                      className="tabular inline-flex min-h-6 items-center font-semibold text-link underline-offset-3 hover:underline"
                    >
                      Call {call.who === name ? '' : `${call.who}, `}
                      {call.shown}
                    </a>
                  </p>
                )}
                {cannotCome && (
                  <div className="col-span-3">
                    <CannotCome told={cannotCome} />
                  </div>
                )}
                <label className="grid gap-1 text-sm">
                  Mark
                  <select
                    name={`mark-${placeId}`}
                    defaultValue={typed[`mark-${placeId}`] ?? mark ?? (cannotCome ? 'excused' : '')}
                    className={select}
                  >
                    <Options none="Not marked" of={marks} />
                  </select>
                </label>
                {minutes('late', 'Minutes late', minutesLate)}
                {minutes('early', 'Minutes early', minutesLeftEarly)}
              </fieldset>
            );
          })}
          {isOver && <TextField form={form} name="reason" label="Reason" required />}
        </ActForm>
      )}
    </div>
  );
}
