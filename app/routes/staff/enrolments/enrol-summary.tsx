import { formatDay } from '#app/lib/dates.ts';
import { centsTyped, formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { SendButton } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Facts } from '#app/ui/staff/typography.tsx';
import { type WayToRead, wayFieldOf } from './way-field.tsx';

/** What is bought, as the form shows it. */
export type EnrolledProduct = {
  title: string;
  courses: readonly { courseId: number; title: string; priceCents: Cents; ways: readonly WayToRead[] }[];
  /** What a combo's refund goes by. */
  rule: string | null;
  /** For each person. */
  eachCents: Cents;
  price: string;
  quotes: readonly { id: number; text: string }[];
};

/** The fields of the form by their names. */
export type Typed = Readonly<Record<string, string | undefined>>;
export const typedIn = (form: FormData): Typed =>
  Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']));

/** What the caller is told before the enrolment is placed, beside the form and as it is filled in. */
export function EnrolSummary({ product, typed }: { product: EnrolledProduct; typed: Typed }) {
  const people = (typed.attendees ?? '').split('\n').filter((line) => line.trim() !== '').length;
  const chosen = product.courses.flatMap(({ courseId, title, priceCents, ways }) => {
    const way = ways.find(({ value }) => value === typed[wayFieldOf(courseId)]);
    return way ? [{ ...way, title, priceCents }] : [];
  });
  const laterCents = chosen.filter(({ invoiced }) => !invoiced).reduce((sum, { priceCents }) => sum + priceCents, 0);
  const eachCents = product.eachCents - laterCents;
  const discountCents = centsTyped(typed.discountCents ?? '') ?? 0;
  const totalCents = Math.max(0, eachCents * people - discountCents);
  const due = chosen.flatMap(({ dueOn }) => dueOn ?? []).toSorted()[0];
  const waits = chosen.some(({ invoiced, dueOn }) => invoiced && dueOn === null);
  const who = [typed.payer === 'person' ? '' : typed.organisation, typed.buyerName].filter(Boolean).join(', ');
  return (
    <aside
      aria-label="What they buy"
      className="grid gap-4 rounded-card border border-line bg-card p-5 xl:sticky xl:top-6"
    >
      <Section title={product.title}>
        <Facts
          facts={[
            ['Price', product.price],
            ['Who', who],
            ...chosen.map(({ value, text }) => [product.courses.length > 1 ? value : 'How', text] as const),
            ['People', people > 0 && `${people} × ${formatExact(eachCents)}`],
            ['Discount', discountCents > 0 && `− ${formatExact(discountCents)}`],
            ['Invoiced later', people > 0 && laterCents > 0 && formatExact(laterCents * people)],
            ['Total', people > 0 && <b className="font-display text-xl">{formatExact(totalCents)}</b>],
            ['Due', people > 0 && totalCents > 0 && dueText(due, waits)],
          ]}
        />
      </Section>
      {chosen.map(({ value, read }) => (
        <p key={value} className="tabular text-sm">
          <b className="font-semibold">Read to the caller:</b> {read}
        </p>
      ))}
      <p className="text-sm text-mute">
        The enrolment is placed at once. We email it to the buyer with the tax invoice, and its page shows that you
        placed it.
      </p>
      <SendButton look="primary">
        {people > 0 && chosen.length === product.courses.length
          ? `Place the enrolment for ${formatExact(totalCents)}`
          : 'Place the enrolment'}
      </SendButton>
    </aside>
  );
}

function dueText(due: string | undefined, waits: boolean): string {
  if (due === undefined) return waits ? 'Once we confirm the date' : '';
  return `${formatDay(due)}${waits ? '; what waits for its date later' : ''}`;
}
