import { Form, Link, useNavigation } from 'react-router';
import { lostText } from '#app/features/enrolling/open-draft.server.ts';
import { placeDraft } from '#app/features/enrolling/place-draft.server.ts';
import { stepPath } from '#app/features/enrolling/steps.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { dayIn } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/review';
import { CheckoutHead } from './checkout-head.tsx';
import { dueAfterPlacing } from './due-after-placing.server.ts';
import { LadderList } from './ladder-list.tsx';
import { laddersOf } from './ladders.server.ts';
import { NoDraft } from './no-draft.tsx';
import type { Due } from './price-summary.tsx';
import { type ReviewSection, reviewOf } from './reviewed-rows.ts';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

export async function loader(args: Route.LoaderArgs) {
  const store = args.context.get(snapshotContext);
  const now = args.context.get(academyContext).clock.now();
  return loadStep(args, 'review', async (opened) => {
    const { product, choice, quote, attendees, payer, lost, agreement } = opened;
    if (lost) return { values: {}, lost: lostText(lost), review: null };
    // A step that can be opened has them.
    if (!product || !choice || !quote || !attendees || !payer)
      throw new Error('the review of a draft that is not complete');
    return {
      values: {},
      lost: null,
      review: {
        sections: reviewOf(opened),
        ladders: await laddersOf(store, { product, choice, quote }, now, agreement.ladder),
        quote,
        dueText: await dueAfterPlacing(
          args.context.get(academyContext).db,
          { product, choice },
          dayIn('Australia/Brisbane', now),
        ),
      },
    };
  });
}

export async function action(args: Route.ActionArgs) {
  const { context, params, request } = args;
  const form = await readForm(request.clone());
  if (form?.get('intent') !== 'place') return actStep(args, 'review');
  const sent = { token: params.draft, form, address: context.get(clientAddressContext) };
  const placed = await placeDraft(context.get(academyContext), context.get(snapshotContext).current(), sent);
  return answerForm(placed, ({ to }) => to);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: review', 'Check everything before you enrol.', noPage);

const formId = 'step-form';

/** In place of the review when its date can no longer be had: what happened, and the way to another one. */
function DateLost({ why, token }: { why: string; token: string }) {
  return (
    <CheckoutHead title="You are not enrolled" lead={`You cannot enrol as you chose: ${why} Nothing is owed.`}>
      <Link to={stepPath(token, 'choice')} className={button.primary}>
        Choose again
      </Link>
    </CheckoutHead>
  );
}

export default function Review({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due, review, lost } = loaderData;
  if (lost !== null || review === null) return <DateLost why={lost ?? ''} token={summary.token} />;
  const { sections, ladders, quote, dueText } = review;
  const form = actionData?.form ?? loaderData.form;
  return (
    <StepFrame
      summary={summary}
      step="review"
      title="Review"
      lead="You have not bought anything yet. Please check everything; you can change each part."
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
      button={{ label: placeLabel(quote.nowCents, due), busy: 'Enrolling', intent: 'place' }}
    >
      <ErrorSummary form={form} labels={{}} formId={formId} />
      {form.values.request && (
        <p className="mb-6">
          <Link to={stepPath(summary.token, 'request')} className={button.primary}>
            Send us a request
          </Link>
        </p>
      )}
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-3">
        {sections.map((section) => (
          <Reviewed key={section.title} section={section} token={summary.token} />
        ))}
      </div>
      <section className="mt-7 border-t border-line pt-6">
        <h2 className="mb-3 text-xl">If you cancel</h2>
        <LadderList ladders={ladders} attendees={quote.attendees} />
      </section>
      <section className="mt-7 border-t border-line pt-6">
        <h2 className="text-xl">What the button does</h2>
        <ul className="mt-3 grid gap-2">
          <li>
            <b>A contract.</b> {quote.attendees === 1 ? 'The place is' : `The ${quote.attendees} places are`} yours at
            once.
          </li>
          {quote.nowCents > 0 && (
            <li>
              <b>A tax invoice.</b> It is for {formatMoney(quote.nowCents)} . We’ll email it with your private link to
              see, change or cancel.
            </li>
          )}
          <li>
            <b>A date to pay.</b> {dueText} Nothing is taken today.
          </li>
        </ul>
      </section>
      <Form id={formId} method="post" action={stepPath(summary.token, 'review')}>
        <input type="hidden" name="shown" value={quote.totalCents} />
      </Form>
    </StepFrame>
  );
}

/** What pressing the button means for the purse. */
function placeLabel(nowCents: number, due: Due | null): string {
  if (nowCents === 0 || !due) return 'Enrol';
  return due.undecided ? 'Enrol, pay once confirmed' : `Enrol and pay by ${due.short}`;
}

/** These values say by themselves what they are. */
const plain = new Set(['Name', 'Email', 'Phone', 'Organisation']);

/** One part of what was filled in, with the way back to it. */
function Reviewed({ section: { title, step, rows }, token }: { section: ReviewSection; token: string }) {
  return (
    <section className="min-w-0">
      <h2 className="flex items-baseline justify-between gap-3 font-sans text-[0.9375rem] font-semibold tracking-normal text-mute md:justify-start">
        {title}
        <Link
          to={stepPath(token, step)}
          aria-label={`Change: ${title}`}
          className="inline-block py-1 font-bold text-link underline underline-offset-4"
        >
          Change
        </Link>
      </h2>
      <dl className="tabular grid gap-0.5 text-[0.9375rem]">
        {rows.map(([name, value], at) => (
          <div key={name} className={step === 'attendees' || at === 0 ? 'font-semibold' : ''}>
            <dt className={plain.has(name) || step === 'attendees' ? 'sr-only' : 'inline font-normal text-mute'}>
              {name}
              {step === 'choice' && at === 0 && <br />}
            </dt>{' '}
            <dd className="inline whitespace-pre-line wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
