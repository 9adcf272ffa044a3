import type { Choice, ProductToChoose } from '#app/features/enrolling/choice.ts';
import { courseLines } from '#app/features/enrolling/draft-summary.ts';
import type { Draft } from '#app/features/enrolling/drafts.server.ts';
import { type StepName, steps } from '#app/features/enrolling/steps.ts';
import type { Quote } from '#app/features/money/pricing.ts';

/** The remarks of a request to staff: how each course is wanted, and the other typed fields. */
export function requestRemarks(
  { product, choice, quote }: { product: ProductToChoose; choice: Choice; quote: Quote },
  draft: Pick<Draft, StepName>,
): Record<string, string | number> {
  const ways = courseLines(product, choice).map(({ title, lines: [first = ''] }) =>
    product.courses.length > 1 ? `${title}: ${first}` : first,
  );
  const typed = steps
    .filter(({ name }) => name !== 'choice' && name !== 'review')
    .flatMap(({ name }) => Object.entries(draft[name]))
    .flatMap(([field, value]) => (value === '' || alreadyThere.includes(field) ? [] : [`${field}: ${value}`]));
  return {
    label: product.title,
    priceCents: Math.round(quote.totalCents / quote.attendees),
    ways: ways.join('\n'),
    ...(typed.length > 0 && { typed: typed.join('\n') }),
  };
}

/** Fields of a draft that stand in the request's own form. */
const alreadyThere = ['buyerName', 'email', 'phone', 'organisation', 'payer', 'self'];
