import { Form, href, useNavigation } from 'react-router';
import { employerLabels } from '#app/features/companies/quote-form.ts';
import { offerDays } from '#app/features/companies/rules.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { FormGuards, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/ask-employer';
import { loadQuote, takeQuote } from './quote-page.server.ts';
import { ChooseFirst, CodeComesNext, NoQuote, needsStaff, WayFields, wayLabels } from './quote-parts.tsx';

/** Where somebody asks their employer to pay (P113): a quote to the employer, with three lines of theirs. */
export const loader = ({ context, url }: Route.LoaderArgs) => loadQuote({ context, url });

export const action = ({ context, request }: Route.ActionArgs) => takeQuote({ context, request }, 'employer');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Ask your employer', 'Ask your employer to pay for a course: they get a quote they can accept.', noPage);

const formId = 'ask-employer-form';

export default function AskEmployer({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const again = actionData && 'product' in actionData ? actionData : null;
  const product = again?.product ?? loaderData.product;
  const form = actionData?.form ?? (loaderData.product ? loaderData.form : null);
  const seen = again?.seen ?? (loaderData.product ? loaderData.seen : '');
  if (!product || !form) {
    return <ChooseFirst title="Ask your employer" lead="Choose first what you would like to attend." />;
  }
  if (needsStaff(product)) return <NoQuote product={product} />;
  const { totalCents } = quoteOfPrices(product.prices, 1);
  return (
    <div className="page pt-6 pb-12 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-x-20 lg:pt-10">
      <div className="max-w-2xl min-w-0">
        <h1 className="text-[1.75rem] outline-none lg:text-4xl" tabIndex={-1}>
          Ask your employer
        </h1>
        <p className="mt-3 text-mute">
          We email them a quote for <Unbroken text={product.title} />, {formatMoney(totalCents)} incl. GST, with three
          lines of yours. They accept, ask a question or decline, and you see the answer.
        </p>
        <div className="mt-6">
          <ErrorSummary form={form} labels={{ ...employerLabels, ...wayLabels(product) }} formId={formId} />
        </div>
        <Form id={formId} method="post" action={href('/ask-employer')} noValidate className="relative grid gap-5">
          <input type="hidden" name="item" value={product.item} />
          <input type="hidden" name="seen" value={form.values.seen || (seen ?? '')} />
          <WayFields product={product} form={form} />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField form={form} name="buyerName" label={employerLabels.buyerName} autoComplete="name" required />
            <TextField
              form={form}
              name="email"
              label={employerLabels.email}
              type="email"
              autoComplete="email"
              required
            />
          </div>
          <TextField
            form={form}
            name="organisation"
            label={employerLabels.organisation}
            autoComplete="organization"
            required
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              form={form}
              name="approverName"
              label={employerLabels.approverName}
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name="approverEmail"
              label={employerLabels.approverEmail}
              type="email"
              autoComplete="off"
              required
            />
          </div>
          <TextField form={form} name="purpose" label={employerLabels.purpose} required />
          <TextField form={form} name="deadline" label={employerLabels.deadline} required />
          <TextField form={form} name="audience" label={employerLabels.audience} required />
          <FormGuards form={form} />
          <CodeComesNext note="Only then do we write to your employer, once." sending={sending} />
        </Form>
      </div>
      <aside
        aria-labelledby="asked-has"
        className="mt-10 border-t border-line pt-8 lg:mt-24 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-10"
      >
        <h2 id="asked-has" className="text-xl">
          What your employer reads
        </h2>
        <ul className="mt-3 grid list-disc gap-3 pl-5">
          <li>Your three lines, above the price.</li>
          <li>The date, the total and the GST in it, open for {offerDays} days.</li>
          <li>What we refund if you cannot come. Until the first day, a colleague may take your place.</li>
        </ul>
        <p className="mt-5 text-mute">
          If they accept, they are the buyer and you attend. A month after the course we ask you both one question.
          Answering is up to you.
        </p>
      </aside>
    </div>
  );
}
