import { data, Form, href, Link, redirect, useNavigation } from 'react-router';
import { submitQuote } from '#app/features/companies/make-quote.server.ts';
import { guidedPrefix, quoteLabels } from '#app/features/companies/quote-form.ts';
import { offerDays, quoteHours } from '#app/features/companies/rules.ts';
import {
  type CourseToChoose,
  mostAttendees,
  type ProductToChoose,
  wayField,
} from '#app/features/enrolments/enrolling/choice.ts';
import { itemOf, readProductToChoose } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import { pricedItem, signPrices } from '#app/features/enrolments/enrolling/seen-prices.server.ts';
import { quoteOfPrices } from '#app/features/money/pricing.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readLater } from '#app/http/database-away.server.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FormGuards, SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/quote';
import { CheckoutHead } from './checkout-head.tsx';
import { mainButton } from './price-bar.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, clock, forms } = context.get(academyContext);
  const store = context.get(snapshotContext);
  const [course, courseDate, combo] = ['course', 'courseDate', 'combo'].map((name) => url.searchParams.get(name));
  const found = courseDate ? await store.courseDate(courseDate) : null;
  if (found && !found.ok) throw readLater('We cannot show this date right now. Please try again in a minute.');
  const named = itemOf(store.current(), {
    course: course ?? null,
    courseDate: found?.courseDate ?? null,
    combo: combo ?? null,
  });
  const now = clock.now();
  const product = named && (await readProductToChoose(db, store.current(), named.item, { now }));
  if (!product) return { product: null };
  const seen = signPrices(forms.secret, pricedItem(product), { prices: product.prices, at: now.toISOString() });
  const people = Number(url.searchParams.get('people')) || 1;
  const values = firstValues(product, named?.courseDate ?? null, people);
  return { product, seen, form: freshForm(forms, values) };
}

/** What the address names is chosen, else the first date with a seat. */
function firstValues(product: ProductToChoose, courseDate: string | null, people: number): FormValues {
  const ways = product.courses.map(({ slug, dates, mondays }) => {
    const free = dates.filter(({ seats }) => seats > 0);
    const date = free.find((one) => one.slug === courseDate) ?? free[0];
    const [monday] = mondays;
    return [wayField(slug), date ? `course-date:${date.slug}` : monday ? `${guidedPrefix}${monday}` : ''];
  });
  return { attendees: String(Math.min(mostAttendees, people)), ...Object.fromEntries(ways) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const academy = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const sent = { form: await readForm(request), address: context.get(clientAddressContext) };
  const result = await submitQuote(academy, snapshot, sent);
  if (result.ok) throw redirect(result.reference, 303);
  const { db, clock, forms } = academy;
  const product = await readProductToChoose(db, snapshot, result.form.values.item ?? '', { now: clock.now() });
  const shown = product && { prices: product.prices, at: clock.now().toISOString() };
  const seen = shown && product && signPrices(forms.secret, pricedItem(product), shown);
  return data({ form: result.form, product, seen }, { status: result.status });
}

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
  if (!product || !form) return <ChooseFirst />;
  if (product.agreementFirst || product.courses.some((course) => optionsOf(course).length === 0)) {
    return <NoQuote product={product} />;
  }
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
          <ErrorSummary form={form} labels={labelsOf(product)} formId={formId} />
        </div>
        <QuoteForm product={product} form={form} seen={seen ?? ''} />
      </div>
      <WhatItHas />
    </div>
  );
}

const labelsOf = ({ courses }: ProductToChoose): Record<string, string> => ({
  ...quoteLabels,
  ...Object.fromEntries(courses.map(({ slug, title }) => [wayField(slug), courses.length > 1 ? title : 'When'])),
});

function QuoteForm({ product, form, seen }: { product: ProductToChoose; form: FormState; seen: string }) {
  const sending = useNavigation().state === 'submitting';
  const labels = labelsOf(product);
  return (
    <Form id={formId} method="post" action={href('/quote')} noValidate className="relative grid gap-5">
      <input type="hidden" name="item" value={product.item} />
      <input type="hidden" name="seen" value={form.values.seen || seen} />
      {product.courses.map((course) => (
        <SelectField
          key={course.slug}
          form={form}
          name={wayField(course.slug)}
          label={labels[wayField(course.slug)] ?? ''}
          required
        >
          {optionsOf(course).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
      <SelectField form={form} name="attendees" label={quoteLabels.attendees} required>
        {Array.from({ length: mostAttendees }, (_, at) => (
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
      <p className="text-sm text-mute">
        The next page asks for a code that we email to you. We use what you send only for this quote.{' '}
        <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
          How we treat your data
        </Link>
      </p>
      <div className="sm:max-w-xs">
        <button type="submit" disabled={sending} aria-busy={sending} className={mainButton}>
          {sending ? 'Sending' : 'Continue'}
        </button>
      </div>
      <p>
        More than six people, or other dates?{' '}
        <Link
          to={`${href('/contact')}?interest=corporate-training`}
          className="inline-block py-1 font-bold text-link underline underline-offset-4"
        >
          Ask us for a quote
        </Link>
      </p>
    </Form>
  );
}

/** The dates with a free seat, and the Mondays of guided study. */
function optionsOf({ dates, mondays }: CourseToChoose): [value: string, text: string][] {
  return [
    ...dates.flatMap(({ slug, days, place, seats }): [string, string][] =>
      seats > 0 ? [[`course-date:${slug}`, `${days}, ${place}, ${seats} ${seats === 1 ? 'seat' : 'seats'} left`]] : [],
    ),
    ...mondays.map((day): [string, string] => [`${guidedPrefix}${day}`, `Guided study from ${formatDay(day)}`]),
  ];
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

function ChooseFirst() {
  return (
    <CheckoutHead
      title="Get a quote"
      lead="Choose what the quote is for. Every course, date and combo has a link to it beside Enroll Now."
    >
      <Link to={href('/courses')} className={button.primary}>
        Choose a course
      </Link>
      <Link to={href('/training-calendar')} className={button.quiet}>
        Choose a date
      </Link>
      <Link to={href('/combos')} className={button.quiet}>
        Choose a combo
      </Link>
    </CheckoutHead>
  );
}

/** Nothing of this can be quoted without staff: why, and what to do. */
function NoQuote({ product: { title, courses, agreementFirst } }: { product: ProductToChoose }) {
  const without = courses.find((course) => optionsOf(course).length === 0);
  return (
    <CheckoutHead
      title={`A quote for ${title}`}
      lead={
        agreementFirst
          ? 'A job-guarantee programme begins with a written agreement. Ask us, and we send it with the price.'
          : 'There is no date with a free seat now. Join the list for the next date, or ask us for a quote for a date of your own.'
      }
    >
      <Link to={`${href('/contact')}?interest=corporate-training`} className={button.primary}>
        Ask us for a quote
      </Link>
      {!agreementFirst && without && (
        <Link to={`${href('/waiting-list')}?course=${without.slug}`} className={button.quiet}>
          Join the list
        </Link>
      )}
    </CheckoutHead>
  );
}
