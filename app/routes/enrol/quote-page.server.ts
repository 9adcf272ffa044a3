import { data, type RouterContextProvider, redirect } from 'react-router';
import { submitQuote } from '#app/features/companies/make-quote.server.ts';
import { guidedPrefix } from '#app/features/companies/quote-form.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { type ProductToChoose, wayField } from '#app/features/enrolments/enrolling/choice.ts';
import { itemOf, readProductToChoose } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import { pricedItem, signPrices } from '#app/features/enrolments/enrolling/seen-prices.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readLater } from '#app/http/database-away.server.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';

type Context = Readonly<RouterContextProvider>;

/** What the address of a form for a quote names, with the form as it begins; no product where it names none. */
export async function loadQuote({ context, url }: { context: Context; url: URL }) {
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

/** Takes a form for a quote (P112), or one that asks an employer (P113): leads on, or gives it back with the product. */
export async function takeQuote(
  { context, request }: { context: Context; request: Request },
  whom: 'me' | 'employer' = 'me',
) {
  const academy = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const sent = { form: await readForm(request), address: context.get(clientAddressContext) };
  const result = await submitQuote(academy, snapshot, sent, whom);
  if (result.ok) throw redirect(result.reference, 303);
  const { db, clock, forms } = academy;
  const product = await readProductToChoose(db, snapshot, result.form.values.item ?? '', { now: clock.now() });
  const shown = product && { prices: product.prices, at: clock.now().toISOString() };
  const seen = shown && product && signPrices(forms.secret, pricedItem(product), shown);
  return data({ form: result.form, product, seen }, { status: result.status });
}

/** What the address names is chosen, else the first date with a seat. */
function firstValues(product: ProductToChoose, courseDate: string | null, people: number): FormValues {
  const ways = product.courses.map(({ slug, dates, mondays }) => {
    const free = dates.filter(({ seats }) => seats > 0);
    const date = free.find((one) => one.slug === courseDate) ?? free[0];
    const [monday] = mondays;
    return [wayField(slug), date ? `course-date:${date.slug}` : monday ? `${guidedPrefix}${monday}` : ''];
  });
  return { attendees: String(Math.min(mostSeats.person, people)), ...Object.fromEntries(ways) };
}
