import { Form, href, Link, redirect, useNavigation } from 'react-router';
import { readAsking } from '#app/features/companies/ask-employer.server.ts';
import { makeQuote } from '#app/features/companies/make-quote.server.ts';
import { queryOf, quotePath, quoteRefused } from '#app/features/companies/quote-form.ts';
import { courseLines } from '#app/features/enrolments/enrolling/draft-summary.ts';
import { stepPath } from '#app/features/enrolments/enrolling/steps.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm } from '#app/http/take-form.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FactList } from '#app/ui/fact-rows.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/quote-code';
import { CheckoutHead } from './checkout-head.tsx';
import { CodeField } from './code-field.tsx';
import { codeStateOf } from './code-state.server.ts';
import { NoDraft } from './no-draft.tsx';
import { mainButton } from './price-bar.tsx';
import { PriceTable } from './price-summary.tsx';
import { loadDraft, withoutDraft } from './step-route.server.ts';

/** The last question before a quote: the code of its address (P112). Reading it changes nothing. */
export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args;
  const { draft: token } = params;
  const loaded = await loadDraft(args, 'request');
  if (loaded.state !== 'open') return withoutDraft(loaded.state);
  const { opened } = loaded;
  const { product, choice, quote, payer, draft, confirmed } = opened;
  if (!product || !choice || !quote || !payer) throw redirect(stepPath(token, opened.reached));
  const asking = readAsking(draft);
  return {
    state: 'open' as const,
    token,
    title: product.title,
    refused: quoteRefused(opened.request, choice),
    courses: courseLines(product, choice),
    quote,
    to: {
      name: payer.buyer.name,
      email: payer.buyer.email,
      organisation: payer.payer.kind === 'organisation' ? payer.payer.organisation : null,
      abn: payer.payer.kind === 'organisation' && payer.payer.abn ? formatAbn(payer.payer.abn) : null,
    },
    asked: asking && { name: asking.approverName, email: asking.approverEmail },
    again: `${href(asking ? '/ask-employer' : '/quote')}?${new URLSearchParams(queryOf(product.item))}`,
    code: await codeStateOf(context, {
      of: { draftId: draft.id },
      email: payer.buyer.email,
      confirmed,
      asked: url.searchParams.get('code'),
    }),
    form: blankForm(),
  };
}

export async function action({ context, request, params: { draft: token } }: Route.ActionArgs) {
  const snapshot = context.get(snapshotContext).current();
  const sent = { token, form: await readForm(request), address: context.get(clientAddressContext) };
  return answerForm(await makeQuote(context.get(academyContext), snapshot, sent), ({ to }) => to);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your quote', 'Confirm your address, and your quote is ready.', noPage);

const formId = 'quote-code';

export default function QuoteCode({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { token, title, refused, courses, quote, to, asked, again, code } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  if (refused) {
    return (
      <CheckoutHead title="There is no quote for this" lead={refused}>
        <Link to={`${href('/contact')}?interest=corporate-training`} className={button.primary}>
          Ask us for a quote
        </Link>
        <Link to={stepPath(token, 'choice')} className={button.quiet}>
          Change the choice
        </Link>
      </CheckoutHead>
    );
  }
  return (
    <div className="page pt-6 pb-12 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-16 lg:pt-10">
      <div className="max-w-2xl min-w-0">
        <h1 className="text-[1.75rem] outline-none lg:text-4xl" tabIndex={-1}>
          {asked ? 'One code, and we ask your employer' : 'One code, and your quote is ready'}
        </h1>
        <div className="mt-6">
          <ErrorSummary form={form} labels={{ code: 'Code from your email' }} formId={formId} />
        </div>
        <FactList
          rows={[
            ['For', <Unbroken key="title" text={title} />],
            ...courses.map(
              (course) => [courses.length > 1 ? course.title : 'When', course.lines.slice(0, 2).join('\n')] as const,
            ),
            [
              'To',
              [to.organisation, ...(asked ? [asked.name, asked.email] : [to.name, to.abn && `ABN ${to.abn}`])]
                .filter(Boolean)
                .join('\n'),
            ],
          ]}
        />
        <p className="mt-3">
          <Link to={again} className="inline-block py-1 font-bold text-link underline underline-offset-4">
            Begin again with other details
          </Link>
        </p>
      </div>
      <section
        aria-labelledby="make-title"
        className="mt-8 min-w-0 self-start rounded-card border border-line bg-card p-5 sm:p-6 lg:mt-0"
      >
        <h2 id="make-title" className="text-xl">
          {asked ? 'Ask your employer' : 'Make the quote'}
        </h2>
        <PriceTable quote={quote} due={null} short />
        <Form id={formId} method="post" action={quotePath(token)} noValidate className="mt-4 grid gap-4">
          <CodeField
            form={form}
            code={code}
            change={
              <Link to={again} className="font-bold text-link underline underline-offset-4">
                Use another address
              </Link>
            }
          />
          <button
            type="submit"
            name="intent"
            value="make"
            disabled={sending}
            aria-busy={sending}
            className={`${mainButton} min-h-14`}
          >
            {asked ? (sending ? 'Sending' : 'Ask them') : sending ? 'Making it' : 'Make the quote'}
          </button>
          <p className="text-sm text-mute">
            {asked ? (
              <>
                We email {asked.name} your name, your address and the link to the quote with your lines. You see the
                answer on a page of your own; its link goes to <b className="wrap-anywhere">{to.email}</b>.
              </>
            ) : (
              <>
                No contract and nothing to pay: you decide by the quote’s last day. We email the quote’s link to{' '}
                <b className="wrap-anywhere">{to.email}</b>.
              </>
            )}
          </p>
        </Form>
      </section>
    </div>
  );
}
