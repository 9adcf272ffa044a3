import { data, Form, href, Link, useNavigation } from 'react-router';
import { acceptOffer, askForAcceptCode, declineOffer } from '#app/features/companies/accept-offer.server.ts';
import { answerFollowUp } from '#app/features/companies/employer-answers.server.ts';
import { readOfferNow } from '#app/features/companies/offer-page.server.ts';
import { findOffer, findRequest } from '#app/features/companies/queries.server.ts';
import { offerFile } from '#app/features/companies/rules.ts';
import { askAsEmployer } from '#app/features/inbox/enquiries/employer-question.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm } from '#app/http/take-form.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import type { CodeState } from '#app/routes/enrol/code-field.tsx';
import { codeStateOf } from '#app/routes/enrol/code-state.server.ts';
import { refundOfChoice } from '#app/routes/enrol/refund-of-choice.server.ts';
import { RefundStraws } from '#app/routes/enrol/refund-straws.tsx';
import { DeadLink } from '#app/routes/links/dead-link.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/offer';
import { AcceptCard, acceptForm, acceptLabels } from './accept-card.tsx';
import { FollowUp, followUpForm } from './follow-up.tsx';
import { OfferNotice, Troubles } from './offer-notice.tsx';
import { OfferSheet } from './offer-sheet.tsx';

/** A quote under its private link (P111). Reading it changes nothing: mail scanners open links. */
export async function loader({ context, params: { token } }: Route.LoaderArgs) {
  const academy = context.get(academyContext);
  const store = context.get(snapshotContext);
  return readOrInstead('away' as const, async () => {
    const offer = await findOffer(academy.db, token);
    if (!offer?.facts || !offer.number) return data(null, { status: 404 });
    const at = academy.clock.now();
    const { product, choice, quote, ...now } = await readOfferNow(academy, store.current(), offer);
    const { facts } = offer;
    const request = await findRequest(academy.db, offer.id);
    const open = now.state === 'sent';
    return {
      token,
      ...now,
      number: facts.number,
      file: `${href('/offer/:token/:file', { token, file: offerFile(offer.number, offer.version).toLowerCase() })}`,
      facts: { ...facts, buyer: { ...facts.buyer, abn: facts.buyer.abn && formatAbn(facts.buyer.abn) } },
      issued: formatDays(facts.issuedOn, facts.issuedOn),
      lastDay: formatDays(offer.lastDay, offer.lastDay),
      ended: offer.endedAt && formatMoment(offer.endedAt),
      totalCents: quote.totalCents,
      refund: open && product ? await refundOfChoice(store, { product, choice, quote }, at) : null,
      request: request && {
        asker: request.name,
        question: request.question,
        followUp: offer.state === 'accepted' && request.followed_up_at !== null,
        answer: request.employer_answer,
      },
      byStaff: offer.madeBy !== null,
      attends: (offer.attendees ?? []).flatMap((one) => one.name ?? []).join(', '),
      phone: academy.academy().phone,
      form: { ...blankForm(), values: { name: facts.buyer.name, email: offer.email } } as FormState,
    };
  });
}

type Answer = { form: FormState; code?: CodeState };

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const sent = { token, form, address: context.get(clientAddressContext) };
  const intent = form?.get('intent');
  if (intent === 'code' || intent === 'again') {
    const asked = await askForAcceptCode(academy, sent);
    if (!asked.ok) return answerWith(asked.status, { form: asked.form });
    const offer = await findOffer(academy.db, token);
    // Only a further code is said to be one.
    const told = intent === 'code' && asked.asked === 'again' ? null : asked.asked;
    const state = { of: { offerId: offer?.id ?? 0 }, email: asked.email, confirmed: false, asked: told };
    const code = offer && (await codeStateOf(context, state));
    return answerWith(200, { form: { ...blankForm(), values: asked.values }, ...(code && { code }) });
  }
  const self = href('/offer/:token', { token });
  if (intent === 'question') return answerForm(await askAsEmployer(academy, sent), self);
  if (intent === 'follow-up') return answerForm(await answerFollowUp(academy, sent), self);
  if (intent === 'decline') return answerForm(await declineOffer(academy, sent), self);
  const accepted = await acceptOffer(academy, sent);
  if (accepted.ok) return answerForm(accepted, accepted.to);
  const { email = '' } = accepted.form.values;
  const offer = await findOffer(academy.db, token);
  const code =
    offer && (await codeStateOf(context, { of: { offerId: offer.id }, email, confirmed: false, asked: null }));
  return answerWith(accepted.status, { form: accepted.form, ...(code?.sent && { code }) });
}

const answerWith = (status: number, answer: Answer) => data(answer, { status });

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

/** Also after a refusal: the price or the seats may have changed. */
export const shouldRevalidate = () => true;

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your quote', 'Read the quote, accept or decline it, or save it as a PDF.', noPage);

const declineFormId = 'decline-form';
const questionFormId = 'question-form';

export default function Offer({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData === 'away') {
    return (
      <CheckoutHead
        title="We cannot look this up right now"
        lead="Our system is not available. Your quote is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <DeadLink />;
  const { token, state, troubles, refund, facts, request } = loaderData;
  const answer = actionData && 'form' in actionData ? (actionData as Answer) : null;
  const intent = answer?.form.values.intent ?? 'accept';
  const formOf = (own: string) => (answer && intent === own ? answer.form : loaderData.form);
  const acceptable = state === 'sent' && troubles.length === 0;
  return (
    <div
      className={`page pt-6 pb-14 lg:pt-9 ${acceptable ? 'lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-x-12' : 'max-w-5xl'}`}
    >
      <div className="max-w-4xl min-w-0">
        {answer && (
          <ErrorSummary
            form={answer.form}
            labels={{ ...acceptLabels, words: 'Your words', question: 'Your question', answer: 'Your answer' }}
            formId={formIds[intent] ?? acceptForm}
          />
        )}
        <OfferNotice {...loaderData} />
        {state === 'sent' && <Troubles lines={troubles} people={facts.people} again={loaderData.again} />}
        <OfferSheet {...loaderData} acceptable={acceptable} />
        {refund && (
          <section className="mt-9">
            <h2 className="text-xl">If you accept now and cancel later</h2>
            <p className="mb-3 text-[0.9375rem] text-mute">
              {facts.people > 1 ? `What we refund for ${facts.people} people, by date.` : 'What we refund, by date.'}{' '}
              <Link to={href('/terms')} target="_blank" className="font-bold text-link underline underline-offset-4">
                The terms
              </Link>{' '}
              open in a new window.
            </p>
            {refund.rows ? (
              <RefundStraws rows={refund.rows} places={facts.people} />
            ) : (
              <p>For each person: {refund.text}.</p>
            )}
            {refund.remarks.map((remark) => (
              <p key={remark} className="mt-3 max-w-prose">
                {remark}
              </p>
            ))}
          </section>
        )}
      </div>
      {acceptable && (
        <AcceptCard
          token={token}
          number={loaderData.number}
          totalCents={loaderData.totalCents}
          fellFromCents={loaderData.fellFromCents}
          organisation={facts.buyer.organisation}
          attends={loaderData.attends}
          form={answer && formIds[intent] === undefined ? answer.form : loaderData.form}
          code={answer?.code ?? null}
        />
      )}
      {state === 'sent' && (
        <div className="no-print mt-9 grid max-w-2xl gap-1 border-t border-line pt-5 lg:col-start-1">
          {request ? (
            <Question token={token} request={request} form={formOf('question')} open={intent === 'question'} />
          ) : loaderData.byStaff ? null : (
            <p>
              <Link
                to={loaderData.askEmployer}
                className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4"
              >
                Ask your employer instead
              </Link>
            </p>
          )}
          <Decline token={token} form={formOf('decline')} open={intent === 'decline'} />
        </div>
      )}
      {request?.followUp && (
        <FollowUp
          action={href('/offer/:token', { token })}
          question="What has it changed?"
          answer={request.answer}
          form={formOf('follow-up')}
        />
      )}
    </div>
  );
}

const formIds: Record<string, string> = {
  decline: declineFormId,
  question: questionFormId,
  'follow-up': followUpForm,
};

type Asked = { asker: string; question: string | null };

/** The question of an employer to whoever asked them (P113). */
function Question({ token, request, form, open }: { token: string; request: Asked; form: FormState; open: boolean }) {
  const sending = useNavigation().state === 'submitting';
  const { asker, question } = request;
  return (
    <details open={open || question !== null}>
      <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
        Ask {asker} a question
      </summary>
      {question !== null && (
        <p role="status" className="mt-2">
          <b>You asked:</b> <span className="whitespace-pre-line wrap-anywhere">{question}</span> We emailed it to{' '}
          {asker}. You can ask again below.
        </p>
      )}
      <Form id={questionFormId} method="post" action={href('/offer/:token', { token })} className="mt-3 grid gap-4">
        <TextArea form={form} name="question" label="Your question" required />
        <p className="text-sm text-mute">
          {asker} and our admissions team get it, with your address to answer to. The quote stays open.
        </p>
        <p>
          <button type="submit" name="intent" value="question" disabled={sending} className={button.quiet}>
            Ask the question
          </button>
        </p>
      </Form>
    </details>
  );
}

function Decline({ token, form, open }: { token: string; form: FormState; open: boolean }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <details open={open}>
      <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
        Decline the quote
      </summary>
      <Form id={declineFormId} method="post" action={href('/offer/:token', { token })} className="mt-3 grid gap-4">
        <TextArea form={form} name="words" label="Why, or what would suit you better" />
        <p className="text-sm text-mute">Declining ends the quote and gives its seats back. You can make a new one.</p>
        <p>
          <button type="submit" name="intent" value="decline" disabled={sending} className={button.quiet}>
            Decline the quote
          </button>
        </p>
      </Form>
    </details>
  );
}
