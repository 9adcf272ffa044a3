import { data, href, Link } from 'react-router';
import { answerFollowUp } from '#app/features/companies/employer-answers.server.ts';
import { findOwnRequest, readOffer } from '#app/features/companies/queries.server.ts';
import { stateOn } from '#app/features/companies/rules.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FactList } from '#app/ui/fact-rows.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/employer';
import { FollowUp, followUpForm } from './follow-up.tsx';

/** What became of a request to an employer, for whoever made it (P113). Nobody is watched reading. */
export async function loader({ context, params: { token } }: Route.LoaderArgs) {
  const { db, clock } = context.get(academyContext);
  return readOrInstead('away' as const, async () => {
    const request = await findOwnRequest(db, token);
    const offer = request && (await readOffer(db, request.offer_id));
    if (!request || !offer?.facts) return data(null, { status: 404 });
    const { facts } = offer;
    return {
      token,
      state: stateOn(offer, academyToday(clock)),
      approver: offer.name,
      title: facts.title,
      lastDay: formatDay(offer.lastDay),
      facts: [
        ['For', facts.title],
        ['When', facts.lines.map(({ detail }) => detail).join('\n')],
        ['Total', `${formatMoney(facts.totalCents)} incl. GST`],
        ['Your lines', (offer.words ?? '').split('\n').slice(1).join('\n')],
      ] as [string, string][],
      question: request.question,
      answer: offer.answer,
      followUp: request.followed_up_at !== null,
      own: request.asker_answer,
      form: blankForm(),
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  const sent = { token, form: await readForm(request) };
  return answerForm(await answerFollowUp(context.get(academyContext), sent), href('/employer/:token', { token }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your request', 'Whether your employer has accepted, asked or declined.', noPage);

export default function Employer({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData === 'away') {
    return (
      <CheckoutHead
        title="We cannot look this up right now"
        lead="Our system is not available. Your request is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <DeadLink />;
  const { token, facts, question, approver, answer, followUp, own } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { title, lead } = words(loaderData);
  return (
    <div className="mx-auto max-w-3xl">
      <CheckoutHead title={title} lead={lead} />
      <div className="page pb-14">
        <div className="max-w-2xl">
          <ErrorSummary form={form} labels={{ answer: 'Your answer' }} formId={followUpForm} />
          {question !== null && <Said who={`${approver} asked`} what={question} />}
          {answer !== null && <Said who={`${approver} wrote`} what={answer} />}
          <h2 className="mt-6 mb-2 text-xl">Your request</h2>
          <FactList rows={facts} />
          <p className="no-print mt-6">
            <Link to={href('/courses')} className={button.quiet}>
              Browse courses
            </Link>
          </p>
          {followUp && (
            <FollowUp
              action={href('/employer/:token', { token })}
              question="What have you done with it?"
              answer={own}
              form={form}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function Said({ who, what }: { who: string; what: string }) {
  return (
    <figure className="mt-4 border-l-4 border-straw pl-4">
      <figcaption className="text-sm font-bold text-mute">{who}</figcaption>
      <blockquote className="whitespace-pre-line wrap-anywhere">{what}</blockquote>
    </figure>
  );
}

type Shown = { state: string; approver: string; lastDay: string; question: string | null };

function words({ state, approver, lastDay, question }: Shown): { title: string; lead: string } {
  switch (state) {
    case 'accepted':
      return {
        title: 'Your employer accepted',
        lead: 'They are the buyer, and you have a place. The email about your place has its link.',
      };
    case 'declined':
      return {
        title: 'Your employer declined',
        lead: 'The quote has ended. You can still enrol yourself, or ask again in a month.',
      };
    case 'over':
      return {
        title: 'Nobody answered in time',
        lead: `The quote ended after ${lastDay}. Talk to ${approver}; you can ask again a month after you asked.`,
      };
    default:
      return {
        title: question === null ? 'Your request is open' : 'Your employer has a question',
        lead: `We emailed ${approver}. They can answer until ${lastDay}; we email you when they do.`,
      };
  }
}
