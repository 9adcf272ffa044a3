import { useEffect, useRef, useState } from 'react';
import { Form, href, Link, useNavigation } from 'react-router';
import {
  type CourseToChoose,
  mondayField,
  type ProductToChoose,
  quoteOfChoice,
  readChoice,
  requestReason,
  wayField,
} from '#app/features/enrolling/choice.ts';
import { courseLines } from '#app/features/enrolling/draft-summary.ts';
import type { CoursePrice } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { FormGuards, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { PriceSummary } from './price-summary.tsx';

type Props = {
  form: FormState;
  product: ProductToChoose;
  /** Those of the visit. */
  prices: readonly CoursePrice[];
  /** Their signature, of a page without a draft. */
  seen: string | null;
  action: string;
};

const formId = 'choice-form';

/** The first step: how each course is taken, and by how many, with the price beside it. */
export function ChoiceForm({ form, product, prices, seen, action }: Props) {
  const sending = useNavigation().state === 'submitting';
  const box = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(form.values);
  const read = (fields: HTMLFormElement) =>
    setValues(Object.fromEntries([...new FormData(fields)].map(([name, value]) => [name, String(value)])));

  // What was chosen before React came counts as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when React comes
  useEffect(() => {
    if (box.current) read(box.current);
  }, []);

  const chosen = readChoice(product, values);
  const attendees = Math.min(50, Math.max(1, Math.floor(Number(values.attendees)) || 1));
  const choice = chosen.ok ? chosen.choice : { choices: [], attendees };
  const quote = quoteOfChoice(product, prices, choice);
  const reason = product.agreementFirst ? 'agreement-first' : chosen.ok ? requestReason(product, chosen.choice) : null;
  return (
    <div className="page grid gap-x-14 gap-y-10 py-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:py-12">
      <div className="min-w-0">
        <p className="tabular mb-6 lg:hidden">
          {product.title}: <b>{formatMoney(quote.totalCents)}</b> incl. GST
        </p>
        <ErrorSummary form={form} labels={labelsOf(product.courses)} formId={formId} />
        <Form
          ref={box}
          id={formId}
          method="post"
          action={action}
          noValidate
          className="relative grid gap-8"
          onChange={(event) => read(event.currentTarget)}
        >
          <input type="hidden" name="item" value={product.item} />
          {seen !== null && <input type="hidden" name="seen" value={form.values.seen ?? seen} />}
          <ChoiceFields product={product} form={form} />
          <div className="max-w-xs">
            <TextField
              form={form}
              name="attendees"
              label="Number of attendees"
              hint="More than six go to staff as a request."
              type="number"
              inputMode="numeric"
              min={1}
              max={50}
              required
            />
          </div>
          <FormGuards form={form} />
          <p className="max-w-prose text-mute" aria-live="polite">
            {reason === null ? next.place : next[reason]}
          </p>
          <div className="flex flex-wrap gap-3">
            <button type="submit" disabled={sending} className={button.primary}>
              {sending ? 'Sending' : reason && reason !== 'no-date' ? 'Continue to the request' : 'Continue'}
            </button>
            <Link to={href('/enrol')} className={button.quiet}>
              Choose something else
            </Link>
          </div>
        </Form>
      </div>
      <aside aria-label="What you are enrolling in">
        <div className="lg:sticky lg:top-6">
          <PriceSummary
            title={product.title}
            courses={
              chosen.ok
                ? courseLines(product, chosen.choice)
                : product.courses.map(({ title }) => ({ title, lines: [] }))
            }
            hours={product.courses.reduce((sum, { hours }) => sum + hours, 0)}
            quote={quote}
          />
          <noscript>
            <p className="mt-3 text-sm text-mute">The next page shows the price for several people.</p>
          </noscript>
        </div>
      </aside>
    </div>
  );
}

const next = {
  place:
    'Seats on a date are held for 15 minutes while you fill in the rest, longer if you ask. Nothing is bought before you have reviewed everything on the last page.',
  'agreement-first':
    'A job-guarantee programme begins with an agreement, so this is a request: staff answer within one business day, and nothing is owed until you have agreed.',
  'large-group':
    'For more than six seats this is a request: staff check the seats and answer within one business day. Nothing is held or owed until then.',
  'no-date':
    'This puts you on the list for the next date, free and without obligation: staff offer you a seat when they set one.',
};

function labelsOf(courses: readonly CourseToChoose[]): Record<string, string> {
  return Object.fromEntries([
    ['attendees', 'Number of attendees'],
    ...courses.flatMap(({ slug, title }) => [
      [wayField(slug), title],
      [mondayField(slug), `${title}: the first Monday`],
    ]),
  ]);
}
