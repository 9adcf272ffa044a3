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
import { FactList } from '#app/ui/fact-rows.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/review';
import { dueAfterPlacing } from './due-after-placing.server.ts';
import { LadderList } from './ladder-list.tsx';
import { laddersOf } from './ladders.server.ts';
import { NoDraft } from './no-draft.tsx';
import { reviewOf } from './reviewed-rows.ts';
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
        due: await dueAfterPlacing(
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
  pageMeta(at, 'Enrol: review', 'Everything once more, before you enrol.', noPage);

const formId = 'step-form';

/** In place of the review when its date can no longer be had: what happened, and the way to another one. */
function DateLost({ why, token }: { why: string; token: string }) {
  return (
    <PageHead title="You are not enrolled" lead={`You cannot be enrolled as you chose: ${why} Nothing is owed.`}>
      <Link to={stepPath(token, 'choice')} className={button.straw}>
        Choose again
      </Link>
    </PageHead>
  );
}

export default function Review({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, review, lost } = loaderData;
  if (lost !== null || review === null) return <DateLost why={lost ?? ''} token={summary.token} />;
  const { sections, ladders, quote, due } = review;
  const form = actionData?.form ?? loaderData.form;
  return (
    <StepFrame
      summary={summary}
      step="review"
      title="Review"
      lead="Nothing is bought yet. Please check everything; you can change each part."
      formId={formId}
      linkState={linkState}
    >
      <ErrorSummary form={form} labels={{}} formId={formId} />
      {form.values.request && (
        <p className="mb-6">
          <Link to={stepPath(summary.token, 'request')} className={button.primary}>
            Send it to staff as a request
          </Link>
        </p>
      )}
      <div className="grid gap-5">
        {sections.map(({ title, step, rows }) => (
          <section key={title} className="rounded-card border border-line bg-card p-5 sm:p-6">
            <div className="flex items-baseline justify-between gap-4">
              <h2 className="text-2xl">{title}</h2>
              <Link
                to={stepPath(summary.token, step)}
                aria-label={`Change: ${title}`}
                className="inline-block py-1.5 font-bold text-link underline underline-offset-4"
              >
                Change
              </Link>
            </div>
            <FactList rows={rows} className="mt-4" />
          </section>
        ))}
        <section className="rounded-card border border-line bg-card p-5 sm:p-6">
          <h2 className="mb-4 text-2xl">If you cancel</h2>
          <LadderList ladders={ladders} attendees={quote.attendees} />
        </section>
        <section className="rounded-card border border-line bg-card p-5 sm:p-6">
          <h2 className="text-2xl">What happens next</h2>
          <ul className="mt-3 grid list-disc gap-2 pl-5">
            <li>When you press the button, the contract is made and the places are yours.</li>
            <li>
              An e-mail brings the tax invoice for {formatMoney(quote.nowCents)} with its due date, and the private link
              to see, change or cancel.
            </li>
            <li>{due}</li>
          </ul>
        </section>
        <Form id={formId} method="post" action={stepPath(summary.token, 'review')} className="grid gap-4">
          <input type="hidden" name="shown" value={quote.totalCents} />
          <p className="tabular">
            <span className="font-display text-[2rem] leading-tight font-bold">{formatMoney(quote.totalCents)}</span>{' '}
            <span className="text-mute">
              incl. GST of {formatMoney(quote.gstCents)}
              {quote.nowCents !== quote.totalCents && `, of which ${formatMoney(quote.nowCents)} are owed now`}
            </span>
          </p>
          <div className="flex flex-wrap gap-3">
            <button type="submit" name="intent" value="place" disabled={sending} className={button.primary}>
              {sending ? 'Enrolling' : `Enrol and owe ${formatMoney(quote.nowCents)}`}
            </button>
            <button type="submit" name="intent" value="back" disabled={sending} className={button.quiet}>
              Back
            </button>
          </div>
        </Form>
      </div>
    </StepFrame>
  );
}
