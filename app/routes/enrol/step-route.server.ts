import { data, type RouterContextProvider, redirect } from 'react-router';
import { draftSummaryOf } from '#app/features/enrolments/enrolling/draft-summary.ts';
import { keepShownPrices, openDraft } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import type { OpenDraft } from '#app/features/enrolments/enrolling/open-draft.ts';
import type { FormStep } from '#app/features/enrolments/enrolling/step-forms.server.ts';
import { isAfter, type StepName, stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { takeStep } from '#app/features/enrolments/enrolling/take-step.server.ts';
import { signedInPlayer } from '#app/features/people/players.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { returnWhenAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { mailAwaySince } from '#app/outbox/mail-health.server.ts';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { dueBesidePrice } from './due-after-placing.server.ts';

type Args = { context: Readonly<RouterContextProvider>; params: { draft: string }; url: URL };

/** Who is logged in as a player; null for everybody else, and while the database is away. */
export async function signedInId({ context, request }: Pick<Args, 'context'> & { request: Request }) {
  try {
    return (await signedInPlayer(context, request)).player?.person.id ?? null;
  } catch (error) {
    returnWhenAway(error);
    return null;
  }
}

/** A form as its draft has it: no faults, and no token, because the address is the secret. */
export const storedForm = (values: FormValues): FormState => ({ ...blankForm(), values });

/**
 * The draft of the address, as a page under it needs it: `gone` when there is none, `away` while the database is.
 * Throws a redirect where a step cannot be opened yet, or the draft was placed; the review of a date that can no longer
 * be had is opened, to say so.
 */
export async function loadDraft({ context, params: { draft: token } }: Args, step: StepName | 'request') {
  const academy = context.get(academyContext);
  try {
    const opened = await openDraft(academy, context.get(snapshotContext).current(), token);
    if (!opened) return { state: 'gone' as const };
    if (opened.draft.enrolmentId !== null) throw redirect(stepPath(token, 'done'));
    const isLostDateShown = step === 'review' && opened.lost !== null;
    if (step !== 'request' && !isLostDateShown && isAfter(step, opened.reached)) {
      if (opened.lost) throw redirect(`${stepPath(token, 'choice')}?seats=lost`);
      throw redirect(stepPath(token, opened.request ? 'request' : opened.reached));
    }
    await keepShownPrices(academy, opened);
    return { state: 'open' as const, opened, summary: draftSummaryOf(opened, academy.academy().url) };
  } catch (error) {
    returnWhenAway(error);
    return { state: 'away' as const };
  }
}

/** The data of a page whose draft cannot be shown. */
export const withoutDraft = (state: 'gone' | 'away') =>
  state === 'gone'
    ? data({ state }, { status: 404 })
    : data({ state }, { status: 503, headers: { 'Retry-After': '60' } });

/** The loader of a step: the summary beside it, its form as it is stored, and what else its page shows. */
export async function loadStep<Own extends object>(
  args: Args,
  step: StepName,
  own: (opened: OpenDraft) => ({ values: FormValues } & Own) | Promise<{ values: FormValues } & Own>,
) {
  const loaded = await loadDraft(args, step);
  if (loaded.state !== 'open') return withoutDraft(loaded.state);
  const { values, ...rest } = await own(loaded.opened);
  const { product, choice } = loaded.opened;
  const { db, clock } = args.context.get(academyContext);
  const due = product && choice ? await dueBesidePrice(db, { product, choice }, academyToday(clock)) : null;
  return {
    state: 'open' as const,
    summary: loaded.summary,
    form: storedForm(values),
    linkState: await linkStateOf(args),
    due,
    ...rest,
  };
}

/** The result of asking for the private link by email; null otherwise. */
async function linkStateOf({ context, url }: Args): Promise<string | null> {
  const state = url.searchParams.get('link');
  return state === 'sent' && (await mailAwaySince(context)) !== null ? 'stored' : state;
}

/** The action of a step: redirects to the next one, or returns the form with its faults. */
export async function actStep({ context, params, request }: Omit<Args, 'url'> & { request: Request }, step: FormStep) {
  const sent = {
    token: params.draft,
    form: await readForm(request),
    address: context.get(clientAddressContext),
  };
  const result = await takeStep(context.get(academyContext), context.get(snapshotContext).current(), step, sent);
  return answerForm(result, ({ to }) => to);
}
