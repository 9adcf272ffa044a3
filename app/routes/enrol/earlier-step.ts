import { data, redirect } from 'react-router';
import { findDraft } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { takeStep } from '#app/features/enrolments/enrolling/take-step.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { actOr503, readLater, unconfirmed } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import type { Route } from './+types/earlier-step';

/** Former steps that links and open pages still name, each with the step that has its fields now. */
const heldBy = new Map([
  ['attendees', 'payer'],
  ['terms', 'review'],
  ['code', 'review'],
] as const);

const names = [...heldBy.keys()];

function toStepOf({ draft, step }: Route.LoaderArgs['params']) {
  const earlier = names.find((name) => name === step);
  const now = earlier && heldBy.get(earlier);
  if (!now) throw data(null, { status: 404 });
  return redirect(stepPath(draft, now), 303);
}

export function loader({ params }: Route.LoaderArgs) {
  throw toStepOf(params);
}

/** Sent by a page that was open during the update: who attends is kept; terms and code are asked for again. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const to = toStepOf(params);
  const form = params.step === 'attendees' ? await readForm(request) : null;
  if (!form) throw to;
  const academy = context.get(academyContext);
  const draft = await actOr503(unconfirmed, () => findDraft(academy.db, params.draft));
  for (const [name, value] of Object.entries(draft?.payer ?? {}))
    if (!form.has(name) && !/^(self$|under18-)/.test(name)) form.set(name, value);
  // The fields are only stored; the step itself shows its faults.
  form.set('intent', 'back');
  const sent = { token: params.draft, form, address: context.get(clientAddressContext) };
  const taken = await takeStep(academy, context.get(snapshotContext).current(), 'payer', sent);
  if (!taken.ok && taken.status === 503) throw readLater(taken.form.fault ?? '');
  throw to;
}

/** Never shown; with it an address that was never a step is a page that is missing. */
export default function EarlierStep() {
  return null;
}
