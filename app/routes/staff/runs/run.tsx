import { useEffect, useRef } from 'react';
import { data, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { neededFor } from '#app/features/runs/acts.ts';
import { findRun, runDates, runItems } from '#app/features/runs/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment, shortDays } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { actWords } from '#app/routes/staff/enrolments/act-words.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/heads.tsx';
import { Back, FileLink, History, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/run';
import { LeftOut } from './left-out.tsx';
import { leftOutWords } from './message-labels.ts';
import { takeRunAct } from './run-acts.server.ts';
import { didOf, progressInWords, runState, runTitle } from './run-words.ts';

/** The number in the address; 0, which no run has, for anything else. */
const numberOf = (id: string) => Number(/^\d{1,9}$/.exec(id)?.[0] ?? 0);

/** How many items are named for one result. */
const mostNamed = 200;

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db, clock } = context.get(academyContext);
  const found = await orAway(async () => {
    const run = await findRun(db, actor, numberOf(id));
    return (
      run && {
        run,
        items: await runItems(db, actor, run.id),
        dates: await runDates(db, actor, run.id),
        history: await readHistory(db, actor, `run:${id}`),
      }
    );
  });
  if (!found) throw data(`There is no run ${id}.`, { status: 404 });
  const { run, items, dates, history } = found;
  const act = run.act;
  const standing = { dueAt: run.due_at, stoppedAt: run.stopped_at, endedAt: run.ended_at };
  return {
    id,
    title: runTitle(act, run.subject),
    did: didOf(act),
    undone: act === 'message' || act === 'write' ? null : actWords[act].undone,
    about: run.slug === null ? null : { slug: run.slug, title: run.title ?? run.slug },
    dates: dates.map(({ slug, title, startsOn, endsOn, ...date }) => ({
      slug,
      title,
      more: `${shortDays(startsOn, endsOn)}, ${date.done} of ${date.all === 1 ? '1 email' : `${date.all} emails`}`,
    })),
    body: run.body,
    more: run.until && `Until ${formatDay(run.until)}${run.reason === null ? '' : `: ${run.reason}`}`,
    erased: run.words_erased_at && formatMoment(run.words_erased_at),
    made: `${run.made_by ?? 'Somebody who left'}, ${formatMoment(run.made_at)}`,
    counts: { all: run.all, done: run.done, leftOut: run.leftOut, toDo: run.toDo },
    emails: run.emails,
    state: runState(standing, clock.now()),
    due: formatMoment(run.due_at),
    isAhead: run.due_at > clock.now(),
    stopped:
      run.stopped_at &&
      `${run.stopped_by ?? (run.words_erased_at ? 'the program, because it erased the words' : 'somebody who left')}, ${formatMoment(run.stopped_at)}`,
    needs: neededFor(act),
    leftOut: named(items, ({ why }) => why && (leftOutWords[why] ?? why)),
    withdrawn: named(items, ({ withdrawn }) => withdrawn),
    entries: history.entries,
    form: blankStaffForm(history.seen),
  };
}

type Item = Awaited<ReturnType<typeof runItems>>[number];

/** The first items for which there is a reason, in words. */
const named = (items: readonly Item[], whyOf: (item: Item) => string | null) =>
  items
    .flatMap((item) => {
      const why = whyOf(item);
      return why === null ? [] : [{ who: [item.name ?? 'No name', item.reference].filter(Boolean).join(', '), why }];
    })
    .slice(0, mostNamed)
    .map(({ who, why }) => ({ who: showControlCharacters(who), why: showControlCharacters(why) }));

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const asked = { id, runId: numberOf(id), form: await readForm(request), actor };
  const result = await takeRunAct(context.get(academyContext), asked);
  return answerForm(result, href('/staff/runs/:id', { id }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.title ?? 'Run');

/** The text of the state. It gets the focus when the focused button disappears with a change. */
function useFocusOnChange(state: string) {
  const told = useRef<HTMLParagraphElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && document.activeElement === document.body) told.current?.focus();
    before.current = state;
  }, [state]);
  return told;
}

/**
 * The progress of a run, the items left out with reasons, and the buttons to stop it or take it back before its time
 * (P79).
 */
export default function Run({ loaderData, actionData }: Route.ComponentProps) {
  const {
    id,
    title,
    did,
    undone,
    more,
    erased,
    about,
    body,
    made,
    counts,
    emails,
    state,
    due,
    stopped,
    needs,
    leftOut,
    withdrawn,
    dates,
    entries,
  } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { all, done, toDo } = counts;
  const status = useFocusOnChange(state);
  const words = {
    waits: `Nothing has been ${did} yet. It starts on ${due}, Brisbane time.`,
    runs: `It is under way. Load this page again to see how far it is.`,
    ended: emails.waits > 0 ? 'Every email is on its way, and some have not gone out yet.' : 'It is finished.',
    stopped: `Stopped by ${stopped}. ${done === 0 ? `Nothing was ${did}.` : did === 'sent' ? `${done} were on their way before and cannot be taken back.` : `${done} were done before.`} ${toDo} were not ${did}.`,
  }[state];
  return (
    <>
      {about ? (
        <Back to={href('/staff/sessions/:slug', { slug: about.slug })}>{about.title}</Back>
      ) : (
        <Back to={href('/staff/runs')}>Acts on many</Back>
      )}
      <h1 className="text-2xl wrap-anywhere">{title}</h1>
      <p className="mb-4 text-mute">{made}</p>
      <ErrorSummary form={form} labels={{}} formId="stop-form" />
      <p ref={status} tabIndex={-1} role="status" className="mb-2 font-semibold">
        {words}
      </p>
      <label className="mb-4 block max-w-xl">
        <span className="tabular block text-sm">
          {`${progressInWords(did, { all, done, emails })}, ${counts.leftOut} left out, ${toDo} ${state === 'stopped' ? `not ${did}` : 'to go'}`}
        </span>
        <progress
          className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-action [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-action"
          max={Math.max(all, 1)}
          value={done + counts.leftOut}
        />
      </label>
      {emails.failed > 0 && (
        <p className="mb-4">
          <TextLink to={href('/staff/mail')}>Emails that did not arrive</TextLink>
        </p>
      )}
      {state === 'stopped' && toDo > 0 && !erased && (
        <div className="mb-4">
          <ActForm
            act="continue"
            form={form}
            needs={needs}
            submit={`${did === 'sent' ? 'Send to' : 'Do'} the ${formatCount(toDo)} left${loaderData.isAhead ? ` on ${loaderData.due}` : ''}`}
          />
        </div>
      )}
      {(state === 'waits' || state === 'runs') && (
        <div className="mb-4 flex flex-wrap items-center gap-4">
          <ActForm
            act="stop"
            form={form}
            needs={needs}
            look="primary"
            submit={state === 'waits' ? 'Take it back' : 'Stop it'}
          />
          <TextLink to={href('/staff/runs/:id', { id })}>Load again</TextLink>
        </div>
      )}
      <OnlyWith permission="lists:export">
        <p className="mb-7">
          <FileLink to={href('/staff/runs/:id/result.csv', { id })}>Result as a file (CSV)</FileLink>
        </p>
      </OnlyWith>
      <div className="grid max-w-3xl gap-7">
        <LeftOut count={counts.leftOut} named={leftOut} />
        <LeftOut count={emails.withdrawn} what="withdrawn" named={withdrawn} />
        {dates.length > 0 && (
          <Section title="Course dates">
            <ul>
              {dates.map((date) => (
                <li key={date.slug} className="border-b border-line py-1.5">
                  <TextLink to={href('/staff/sessions/:slug', { slug: date.slug })}>{date.title}</TextLink>
                  <span className="block text-sm text-mute">{date.more}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {(more || undone) && (
          <div className="max-w-prose">
            {more && <p className="wrap-anywhere">{more}</p>}
            {undone && <p className="text-sm text-mute">{undone}</p>}
          </div>
        )}
        {erased && <p className="text-sm text-mute">We erased what staff wrote on {erased}.</p>}
        {body && (
          <Section title="What it says">
            <p className="py-2 whitespace-pre-line wrap-anywhere">{body}</p>
          </Section>
        )}
        <History entries={entries} />
      </div>
    </>
  );
}
