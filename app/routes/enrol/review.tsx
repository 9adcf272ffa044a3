import { Link, type ShouldRevalidateFunctionArgs, useNavigation } from 'react-router';
import { quotePath } from '#app/features/companies/quote-form.ts';
import { takeMeant } from '#app/features/enrolments/enrolling/did-you-mean.ts';
import { courseLines } from '#app/features/enrolments/enrolling/draft-summary.ts';
import { lostText } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import type { OpenDraft } from '#app/features/enrolments/enrolling/open-draft.ts';
import { placeDraft } from '#app/features/enrolments/enrolling/place-draft.server.ts';
import { termsKey } from '#app/features/enrolments/enrolling/review-step.server.ts';
import type { ReviewedPart } from '#app/features/enrolments/enrolling/step-form.ts';
import { stepForms } from '#app/features/enrolments/enrolling/step-forms.server.ts';
import { type StepName, stepPath, steps } from '#app/features/enrolments/enrolling/steps.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { More } from '#app/ui/more.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/review';
import { CheckoutHead } from './checkout-head.tsx';
import { codeStateOf } from './code-state.server.ts';
import { dueAfterPlacing } from './due-after-placing.server.ts';
import { NoDraft } from './no-draft.tsx';
import { Included } from './price-summary.tsx';
import { type ChoiceRefund, refundOfChoice } from './refund-of-choice.server.ts';
import { RefundStraws } from './refund-straws.tsx';
import { rulesFor } from './rules-for.ts';
import { SignCard } from './sign-card.tsx';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

type ReviewSection = ReviewedPart & { step: StepName };

/** Everything that was filled in, by the step in which it can be changed. */
function reviewOf(opened: OpenDraft): ReviewSection[] {
  return steps.flatMap(({ name }) => {
    const parts = name === 'choice' ? [chosen(opened)] : (stepForms[name].reviewed?.(opened) ?? []);
    return parts.filter(({ rows }) => rows.length > 0).map((part) => ({ ...part, step: name }));
  });
}

function chosen({ product, choice }: OpenDraft): ReviewedPart {
  const courses = product && choice ? courseLines(product, choice) : [];
  const [only, ...others] = courses;
  if (only && others.length === 0)
    return { title: 'Date', rows: [{ name: 'Date', value: only.lines.join('\n'), plain: true }] };
  return { title: 'Courses', rows: courses.map(({ title, lines }) => ({ name: title, value: lines.join('\n') })) };
}

export async function loader(args: Route.LoaderArgs) {
  const store = args.context.get(snapshotContext);
  const academy = args.context.get(academyContext);
  const now = academy.clock.now();
  return loadStep(args, 'review', async (opened) => {
    const { product, choice, quote, attendees, payer, lost, termsId, draft } = opened;
    const values: FormValues = {};
    if (lost) return { values, lost: lostText(lost), review: null };
    // A step that can be opened has them.
    if (!product || !choice || !quote || !attendees || !payer)
      throw new Error('the review of a draft that is not complete');
    const { email } = payer.buyer;
    const of = termsKey({ product, choice, quote, termsId });
    // Accepted for this choice at this price, and for no other.
    if (draft.review.of === of) values.accepted = draft.review.accepted ?? '';
    return {
      values,
      lost: null,
      review: {
        sections: reviewOf(opened),
        refund: await refundOfChoice(store, { product, choice, quote }, now),
        rules: rulesFor(choice.choices.map(({ way }) => way)),
        quote,
        agrees: payer.payer.kind === 'organisation' && (opened.known !== null || !opened.confirmed),
        dueText: await dueAfterPlacing(
          academy.db,
          { product, choice },
          {
            today: academyDay(now),
            byCard: args.context.get(stripeContext) !== null,
          },
        ),
        of,
        code: await codeStateOf(args.context, {
          of: { draftId: draft.id },
          email,
          confirmed: opened.confirmed,
          asked: args.url.searchParams.get('code'),
        }),
      },
    };
  });
}

/** The buttons of the page except the one that places. */
const others = ['back', 'keep', 'link', 'again', takeMeant];

export async function action(args: Route.ActionArgs) {
  const { context, params, request } = args;
  const form = await readForm(request.clone());
  if (others.includes(String(form?.get('intent')))) return actStep(args, 'review');
  const sent = { token: params.draft, form, address: context.get(clientAddressContext) };
  const placed = await placeDraft(context.get(academyContext), context.get(snapshotContext).current(), sent);
  return answerForm(placed, ({ to }) => to);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

/** After an incomplete form, too: the terms or the price may have changed since. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus === 400 || defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: check and enrol', 'Check everything, confirm your email address and enrol.', noPage);

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
  const { sections, refund, rules, quote, agrees, dueText, of, code } = review;
  const form = actionData?.form ?? loaderData.form;
  const several = quote.attendees > 1;
  const places = quote.attendees * quote.lines.length;
  return (
    <StepFrame
      summary={summary}
      step="review"
      title="Check and enrol"
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
      sign={
        <SignCard
          token={summary.token}
          form={form}
          formId={formId}
          quote={quote}
          fellFromCents={summary.fellFromCents}
          due={due}
          of={of}
          code={code}
          sending={sending}
        />
      }
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      {form.values.request && (
        <p className="mb-6">
          <Link to={stepPath(summary.token, 'request')} className={button.primary}>
            Send us a request
          </Link>
        </p>
      )}
      <h2 className="text-xl">
        <Unbroken text={summary.title ?? ''} />
      </h2>
      <p className="mt-1 mb-4 text-sm text-mute">
        <Included {...summary} />
      </p>
      <div className={`grid gap-x-8 gap-y-5 lg:grid-cols-2 ${threeColumns}`}>
        {sections.map((section) => (
          <Reviewed key={section.title} section={section} token={summary.token} />
        ))}
      </div>
      <section className="mt-7 border-t border-line pt-6">
        <h2 className="text-xl">If you cancel</h2>
        <p className="mb-3 text-[0.9375rem] text-mute">
          {several ? `What we refund for ${quote.attendees} people, by date.` : 'What we refund, by date.'}
        </p>
        <RefundOfChoice refund={refund} attendees={quote.attendees} />
        <More label="All refund rules" className="mt-3">
          <ul className="grid list-disc gap-x-10 gap-y-1 pl-5 text-[0.9375rem] text-mute marker:text-edge sm:grid-cols-2">
            {rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </More>
      </section>
      <section className="mt-7 border-t border-line pt-6">
        <h2 className="text-xl">What the button does</h2>
        <ul className="mt-3 grid gap-2">
          <li>
            <b>A contract.</b> {places > 1 ? `The ${places} places are` : 'The place is'} yours at once.
          </li>
          {quote.nowCents > 0 && (
            <li>
              <b>A tax invoice.</b> It is for {formatMoney(quote.nowCents)} incl. GST. We’ll email it with your private
              link to see, change or cancel.
            </li>
          )}
          <li>
            <b>A date to pay.</b> {dueText} Nothing is taken today.
          </li>
          {agrees && (
            <li>
              <b>What is agreed.</b> If you manage your organisation’s page, the invoice has the discount and the days
              to pay that we agreed with it.
            </li>
          )}
        </ul>
        <p className="no-print mt-4">
          Does somebody else decide?{' '}
          <Link
            to={quotePath(summary.token)}
            className="inline-block py-1 font-bold text-link underline underline-offset-4"
          >
            Get this as a quote
          </Link>
        </p>
      </section>
    </StepFrame>
  );
}

/** Addresses have room before they break; beside the price there are three columns from 1280 pixels on. */
const threeColumns =
  'md:max-lg:grid-cols-[minmax(10rem,1fr)_fit-content(15rem)_fit-content(17rem)] xl:grid-cols-[minmax(10rem,1fr)_fit-content(15rem)_fit-content(17rem)]';
const labels = { code: 'Code from your email', accepted: 'Terms' };

/** The refunds of a cancellation by date, in dollars (P31). */
function RefundOfChoice({ refund: { text, rows, remarks }, attendees }: Props) {
  return (
    <div className="tabular grid gap-4">
      {rows ? (
        <RefundStraws rows={rows} places={attendees} today />
      ) : (
        <p>{attendees > 1 ? `For each person: ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</p>
      )}
      {remarks.map((remark) => (
        <p key={remark} className="max-w-prose">
          {remark}
        </p>
      ))}
    </div>
  );
}

type Props = { refund: ChoiceRefund; attendees: number };

/** One part of the draft, with a link to its step. */
function Reviewed({ section: { title, step, rows }, token }: { section: ReviewSection; token: string }) {
  return (
    <section className="min-w-0">
      <h3 className="flex items-baseline justify-between gap-3 font-sans text-[0.9375rem] font-semibold tracking-normal text-mute md:justify-start">
        {title}
        <Link
          to={stepPath(token, step)}
          aria-label={`Change: ${title}`}
          className="inline-block py-1 font-bold text-link underline underline-offset-4"
        >
          Change
        </Link>
      </h3>
      <dl className="tabular grid gap-0.5 text-[0.9375rem]">
        {rows.map(({ name, value, plain }, at) => (
          <div key={name}>
            <dt className={plain ? 'sr-only' : value.includes('\n') ? 'font-semibold' : 'inline text-mute'}>{name}</dt>{' '}
            <dd
              className={`inline-block whitespace-pre-line wrap-anywhere ${plain && (at === 0 || name.startsWith('Person')) ? 'first-line:font-semibold' : ''}`}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
