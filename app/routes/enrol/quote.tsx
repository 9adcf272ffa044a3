import { Form, href, Link, useNavigation } from 'react-router';
import { queryOf, quoteLabels } from '#app/features/companies/quote-form.ts';
import { offerDays, quoteHours } from '#app/features/companies/rules.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import type { ProductToChoose } from '#app/features/enrolments/enrolling/choice.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { FormGuards, SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/quote';
import { loadQuote, takeQuote } from './quote-page.server.ts';
import { ChooseFirst, CodeComesNext, NoQuote, needsStaff, WayFields, wayLabels } from './quote-parts.tsx';

export const loader = ({ context, url }: Route.LoaderArgs) => loadQuote({ context, url });

export const action = ({ context, request }: Route.ActionArgs) => takeQuote({ context, request });

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-store' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Get a quote',
    'A written quote for a course, a date or a combo in a minute, to accept online for 14 days.',
  );

const formId = 'quote-form';

export default function Quote({ loaderData, actionData }: Route.ComponentProps) {
  const again = actionData && 'product' in actionData ? actionData : null;
  const product = again?.product ?? loaderData.product;
  const form = actionData?.form ?? (loaderData.product ? loaderData.form : null);
  const seen = again?.seen ?? (loaderData.product ? loaderData.seen : '');
  if (!product || !form) {
    return (
      <ChooseFirst
        title="Get a quote"
        lead="Choose what the quote is for. Every course, date and combo has a link to it beside Enroll Now."
      />
    );
  }
  if (needsStaff(product)) return <NoQuote product={product} />;
  const { totalCents, discount } = quoteOfPrices(product.prices, 1);
  return (
    <div className="page pt-6 pb-12 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-x-20 lg:pt-10">
      <div className="max-w-2xl min-w-0">
        <h1 className="text-[1.75rem] outline-none lg:text-4xl" tabIndex={-1}>
          Get a quote
        </h1>
        <p className="mt-3 text-mute">
          For <Unbroken text={product.title} />, {formatMoney(totalCents)} incl. GST for each person
          {discount && `, ${discount}`}. You get it in writing at once, with a PDF, and can accept it from its page. A
          quote costs nothing, with no obligation.
        </p>
        <div className="mt-6">
          <ErrorSummary form={form} labels={{ ...quoteLabels, ...wayLabels(product) }} formId={formId} />
        </div>
        <QuoteForm product={product} form={form} seen={seen ?? ''} />
      </div>
      <WhatItHas />
    </div>
  );
}

function QuoteForm({ product, form, seen }: { product: ProductToChoose; form: FormState; seen: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form id={formId} method="post" action={href('/quote')} noValidate className="relative grid gap-5">
      <input type="hidden" name="item" value={product.item} />
      <input type="hidden" name="seen" value={form.values.seen || seen} />
      <WayFields product={product} form={form} />
      <SelectField form={form} name="attendees" label={quoteLabels.attendees} required>
        {Array.from({ length: mostSeats.person }, (_, at) => (
          <option key={String(at + 1)} value={String(at + 1)}>
            {at + 1}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField form={form} name="buyerName" label={quoteLabels.buyerName} autoComplete="name" required />
        <TextField form={form} name="email" label={quoteLabels.email} type="email" autoComplete="email" required />
        <TextField
          form={form}
          name="organisation"
          label={quoteLabels.organisation}
          autoComplete="organization"
          required
        />
        <TextField form={form} name="abn" label={quoteLabels.abn} inputMode="numeric" />
      </div>
      <FormGuards form={form} />
      <CodeComesNext note="We use what you send only for this quote." sending={sending} />
      <p>
        More than six people, or other dates?{' '}
        <Link
          to={`${href('/contact')}?interest=corporate-training`}
          className="inline-block py-1 font-bold text-link underline underline-offset-4"
        >
          Ask us for a quote
        </Link>
      </p>
      <p>
        Does your employer decide?{' '}
        <Link
          to={`${href('/ask-employer')}?${new URLSearchParams(queryOf(product.item))}`}
          className="inline-block py-1 font-bold text-link underline underline-offset-4"
        >
          Ask your employer
        </Link>
      </p>
    </Form>
  );
}

/** What a quote has, beside the form: facts, and no box, because nothing is chosen or paid here. */
function WhatItHas() {
  return (
    <aside
      aria-labelledby="quote-has"
      className="mt-10 border-t border-line pt-8 lg:mt-24 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-10"
    >
      <h2 id="quote-has" className="text-xl">
        What the quote has
      </h2>
      <ul className="mt-3 grid gap-3">
        {[
          'Its own number, the dates, the total and the GST in it.',
          `The price, held for ${offerDays} days, or until enrolment for the date ends. If it falls, you pay less.`,
          `Your seats, up to six, for ${quoteHours} hours.`,
          'The refunds in dollars if you cancel later.',
          'A link to accept or decline it, which you can forward.',
        ].map((text) => (
          <li key={text} className="grid grid-cols-[1.25rem_1fr] gap-x-3">
            <Sign name="check" className="mt-1 size-5 text-link" />
            {text}
          </li>
        ))}
      </ul>
    </aside>
  );
}
