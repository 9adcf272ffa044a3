import { redirect } from 'react-router';
import { fullText, takeChoice } from '#app/features/enrolments/enrolling/choose.server.ts';
import { resume } from '#app/features/enrolments/enrolling/draft-summary.ts';
import { lostText } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import type { OpenDraft } from '#app/features/enrolments/enrolling/open-draft.ts';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { chargedPrices, mostPeopleOf } from '#app/features/enrolments/organisation.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/choice';
import { ChoiceForm } from './choice-form.tsx';
import { NoDraft } from './no-draft.tsx';
import { loadDraft, signedInId, storedForm, withoutDraft } from './step-route.server.ts';

/** The choice of a draft, to change it; also where one lands when its seats are gone. */
export async function loader(args: Route.LoaderArgs) {
  const loaded = await loadDraft(args, 'choice');
  if (loaded.state !== 'open') return withoutDraft(loaded.state);
  const { opened, summary } = loaded;
  const { product, prices, draft } = opened;
  // The link that was kept to finish later.
  if (args.url.searchParams.has(resume) && opened.reached !== 'choice')
    throw redirect(stepPath(summary.token, opened.reached));
  if (!product || !prices) return withoutDraft('gone');
  const form = storedForm(draft.choice);
  const _snapshot = args.context.get(snapshotContext).current();
  const now = args.context.get(academyContext).clock.now();
  const lost = args.url.searchParams.get('seats');
  return {
    state: 'open' as const,
    token: summary.token,
    product,
    prices: chargedPrices(prices, opened.known),
    today: academyDay(now),
    most: mostPeopleOf(opened.known),
    form: lost === null ? form : { ...form, heading: 'Nothing was changed' as const, ...seatsLost(opened, lost) },
  };
}

/** Why the seats could not be held again, and what to do. */
function seatsLost({ product, choice, lost }: OpenDraft, why: string) {
  if (lost) return { fault: sentence(lostText(lost)) };
  if (why === 'too-many') {
    return {
      fault:
        'We could not hold your seats again: people on your network already hold many. We kept what you typed. Please wait 15 minutes, or call us.',
    };
  }
  const asked = choice?.attendees ?? 1;
  const full = product?.courses
    .flatMap(({ dates }) => dates)
    .find(
      (date) =>
        choice?.choices.some((one) => one.way === 'date' && one.courseDateId === date.courseDateId) &&
        date.seats < asked,
    );
  return {
    fault: full
      ? `We no longer held your seats, and other people have taken them. ${fullText(full.days, full.seats, asked, full.kept)}`
      : choice
        ? // The seats that this page knows are up to a second old.
          'We no longer held your seats, and other people have taken them. Please choose again; we kept what you typed.'
        : 'What you chose is no longer available. Please choose again; we kept what you typed.',
  };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export async function action({ context, request, params }: Route.ActionArgs) {
  const result = await takeChoice(context.get(academyContext), context.get(snapshotContext).current(), {
    form: await readForm(request),
    address: context.get(clientAddressContext),
    token: params.draft,
    personId: await signedInId({ context, request }),
  });
  return answerForm(result, ({ to }) => to);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: choose', 'How you want to take it, and for how many people.', noPage);

export default function ChangeChoice({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { product, prices, today, most, form, token } = loaderData;
  return (
    <ChoiceForm
      form={actionData?.form ?? form}
      product={product}
      prices={prices}
      seen={null}
      today={today}
      most={most}
      action={stepPath(token, 'choice')}
    />
  );
}
