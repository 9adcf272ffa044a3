import { Form, href, redirect, redirectDocument } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { neededFor } from '#app/features/runs/acts.ts';
import { buyersOf, type Planned } from '#app/features/runs/chosen-enrolments.server.ts';
import { planKey } from '#app/features/runs/commands.server.ts';
import { runsUnderWay } from '#app/features/runs/queries.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { formatCount } from '#app/lib/money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { chosenIn, chosenQuery } from '#app/routes/staff/lists/chosen.ts';
import { leftOutWords } from '#app/routes/staff/runs/message-labels.ts';
import { OthersUnderWay, otherInWords } from '#app/routes/staff/runs/others-under-way.tsx';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, WhoMay } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { Section } from '#app/ui/staff/heads.tsx';
import { Back, Table, Words } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/act-chosen';
import { actIn, isNewDay, readPlan, takeChosenAct, tooMany } from './act-chosen.server.ts';
import { actWords, chosenActLabels, enrolmentsInWords as enrolments, groupWords } from './act-words.ts';
import { listAddressOf } from './chosen-enrolments.server.ts';
import { LeftOut, Untold } from './chosen-out.tsx';

/** How many of those left out for one reason are named. */
const named = 50;
const usualDays = 14;

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const params = url.searchParams;
  const chosen = chosenIn(params);
  const asked = params.get('act');
  if (asked === 'export') throw redirectDocument(exportOf(chosen));
  if (asked === 'write') throw redirect(`${href('/staff/enrolments/write')}?${chosenQuery(chosen)}`);
  const act = actIn(params);
  const back = listAddressOf(chosen);
  const nothing = { act: null, back, why: 'Choose what to do with them: go back to the list.' };
  if (act === null) return nothing;
  const given = dayOf(params.get('until') ?? '');
  const until = given && isNewDay(given, moment.today) ? given : addDays(moment.today, usualDays);
  const plan = await orAway(() => readPlan(academy.db, actor, chosen, { act, until, moment }));
  if (plan === 'too-many') return { ...nothing, why: tooMany };
  if (plan.length === 0) return { ...nothing, why: 'No enrolment is chosen. Go back to the list and tick some.' };
  const does = plan.filter(({ leftOut }) => leftOut === null);
  const others = await orAway(() => runsUnderWay(academy.db, actor, [act], does));
  const untold = does.filter((one) => one.untold);
  const out = Map.groupBy(
    plan.filter(({ leftOut }) => leftOut !== null),
    ({ leftOut }) => leftOut ?? '',
  );
  const more: Record<string, string> = act === 'more-time' ? { act, until } : { act };
  return {
    act,
    back,
    to: `${href('/staff/enrolments/act')}?${chosenQuery(chosen, more)}`,
    carried: [...new URLSearchParams(chosenQuery(chosen))],
    needs: neededFor(act),
    until,
    count: plan.length,
    does: does.length,
    buyers: buyersOf(plan),
    others: others.map(otherInWords),
    expects: planKey(plan),
    sum: formatCents(does.reduce((sum, { cents }) => sum + cents, 0)),
    groups: [...Map.groupBy(does, ({ group }) => group)].map(([group, its]) => ({
      group: groupWords[group],
      count: its.length,
      owed: formatCents(its.reduce((sum, { cents }) => sum + cents, 0)),
    })),
    leftOut: [...out].map(([why, its]) => ({
      why: leftOutWords[why] ?? why,
      count: its.length,
      who: its.slice(0, named).map(shownBuyer),
    })),
    untold: { count: untold.length, who: untold.slice(0, named).map(shownBuyer) },
    form: blankStaffForm(0),
  };
}

const shownBuyer = ({ name, reference }: Planned) => ({ name: showControlCharacters(name), reference });

/** Where the chosen rows are as a file. */
function exportOf(chosen: ReturnType<typeof chosenIn>): string {
  const path = href('/staff/enrolments.csv');
  const [, list = ''] = listAddressOf(chosen).split('?');
  return chosen.all ? `${path}?${list}` : `${path}?${chosenQuery({ ...chosen, list: '' })}`;
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const asked = { form: await readForm(request), actor, chosen: chosenIn(url.searchParams) };
  const result = await takeChosenAct(context.get(academyContext), asked);
  return answerForm(result, ({ runId }) =>
    runId === null ? href('/staff/enrolments') : href('/staff/runs/:id', { id: String(runId) }),
  );
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData?.act ? actWords[loaderData.act].title : 'Act on many');

/** The effects of an act on the chosen enrolments: who is left out and why, the effects by group, one button (P79). */
export default function ActOnChosen({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.act === null) {
    return (
      <>
        <Back to={loaderData.back}>Enrolments</Back>
        <h1 className="text-2xl">Act on many</h1>
        <Words>{loaderData.why}</Words>
      </>
    );
  }
  const { act, back, to, carried, needs, until, count, does, buyers, expects, sum, groups } = loaderData;
  const { leftOut, untold, others } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { title, explains, undone, button: texts } = actWords[act];
  const owes = act !== 'ask-names';
  return (
    <>
      <Back to={back}>Enrolments</Back>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-1 mb-4 max-w-prose text-mute">{`${enrolments(count)} chosen. ${explains}`}</p>
      <WhoMay needs={needs} what="do this" />
      <ErrorSummary form={form} labels={chosenActLabels} formId="many-form" />
      {act === 'more-time' && (
        <Form action={href('/staff/enrolments/act')} className="mb-6 flex flex-wrap items-end gap-3" key={until}>
          {[['act', act] as const, ...carried].map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          <label className="grid gap-1 font-bold">
            New day
            <input type="date" name="until" defaultValue={until} className={field} />
          </label>
          <button type="submit" className={button.quiet}>
            Look at this day
          </button>
        </Form>
      )}
      <div className="grid max-w-3xl gap-7">
        <OthersUnderWay others={others} />
        {leftOut.length > 0 && <LeftOut leftOut={leftOut} />}
        <Section title={does === 0 ? 'Nothing would be done' : `Done for ${enrolments(does)}`}>
          {does === 0 ? (
            <Words>Go back to the list and choose others.</Words>
          ) : (
            <Table
              label="What would be done"
              head={[
                'Which',
                { text: 'Enrolments', right: true },
                ...(owes ? [{ text: 'Owed, AU$', right: true } as const] : []),
              ]}
              minWidth="min-w-0"
            >
              {groups.map((one) => (
                <tr key={one.group}>
                  <td>{one.group}</td>
                  <NumberCell>{formatCount(one.count)}</NumberCell>
                  {owes && <NumberCell>{one.owed}</NumberCell>}
                </tr>
              ))}
              {groups.length > 1 && (
                <tr className="font-semibold">
                  <td>All</td>
                  <NumberCell>{formatCount(does)}</NumberCell>
                  {owes && <NumberCell>{sum}</NumberCell>}
                </tr>
              )}
            </Table>
          )}
        </Section>
        {untold.count > 0 && <Untold {...untold} />}
        {does > 0 && (
          <ActForm
            act={act}
            id="many-form"
            form={form}
            needs={needs}
            to={to}
            className="grid max-w-xl gap-4"
            carries={act === 'more-time' ? { expects, until } : { expects }}
            submit={`${texts[does === 1 ? 0 : 1]} (${formatCount(does)})`}
            look="primary"
          >
            {act === 'more-time' && (
              <TextField
                form={form}
                name="reason"
                label={chosenActLabels.reason}
                hint="Only staff see it, as a note about each enrolment."
                maxLength={300}
                required
              />
            )}
            {buyers < does && (
              <p>{`These emails go to ${buyers === 1 ? '1 buyer' : `${formatCount(buyers)} buyers`}, one for each enrolment.`}</p>
            )}
            <p className="text-sm text-mute">
              {`It begins after 60 seconds, and you can take it back until then. ${undone}`}
            </p>
          </ActForm>
        )}
      </div>
    </>
  );
}
