import { useEffect, useRef, useState } from 'react';
import { Form, href, Link, useNavigation } from 'react-router';
import { OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import {
  type CourseToChoose,
  mondayField,
  morePeople,
  type ProductToChoose,
  peopleOf,
  quoteOfChoice,
  readChoice,
  requestReason,
  wayField,
} from '#app/features/enrolments/enrolling/choice.ts';
import { courseLines } from '#app/features/enrolments/enrolling/draft-summary.ts';
import type { CoursePrice } from '#app/features/money/pricing.ts';
import type { Day } from '#app/lib/dates.ts';
import { field } from '#app/ui/field.ts';
import { FormGuards } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { CheckoutColumns } from './checkout-columns.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { mainButton, PriceBar } from './price-bar.tsx';
import { Included, PriceSummary } from './price-summary.tsx';

type Props = {
  form: FormState;
  product: ProductToChoose;
  /** Those of the visit. */
  prices: readonly CoursePrice[];
  /** Their signature, of a page without a draft. */
  seen: string | null;
  today: Day;
  /** How many people this buyer enrols without staff. */
  most: number;
  /** A notice that the date of the address is not available, with the link to its waiting list. */
  notice?: { text: string; waitingList: string | null } | null;
  action: string;
};

const formId = 'choice-form';

/** The first step: how each course is taken, and by how many, with the price beside it. */
export function ChoiceForm({ form, product, prices, seen, today, most, notice = null, action }: Props) {
  const sending = useNavigation().state === 'submitting';
  const box = useRef<HTMLFormElement>(null);
  const begins = seen !== null;
  // Of the form that was sent before a step back; an answer to this one brings its own.
  const [opened] = useState(form);
  const [token, setToken] = useState<string>();
  const [values, setValues] = useState(form.values);
  const read = (fields: HTMLFormElement) =>
    setValues(Object.fromEntries([...new FormData(fields)].map(([name, value]) => [name, String(value)])));

  // What was chosen before React came counts as well, and what was chosen before a step back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when React comes
  useEffect(() => {
    if (!box.current) return;
    if (begins) setToken(takeFromHistory(box.current));
    read(box.current);
  }, []);

  const chosen = readChoice(product, values);
  const attendees = Math.min(50, Math.max(1, Math.floor(peopleOf(values)) || 1));
  const choice = chosen.ok ? chosen.choice : { choices: [], attendees };
  const quote = quoteOfChoice(product, prices, choice);
  const reason = product.agreementFirst
    ? 'agreement-first'
    : chosen.ok
      ? requestReason(product, chosen.choice, most)
      : null;
  const courses =
    chosen.ok || product.agreementFirst
      ? courseLines(product, choice)
      : product.courses.map(({ title }) => ({ title, lines: [] }));
  const hours = product.courses.reduce((sum, course) => sum + course.hours, 0);
  const [only, ...others] = product.courses;
  const summary = { title: product.title, courses, hours, agreementFirst: product.agreementFirst };
  return (
    <CheckoutColumns
      bar={
        <PriceBar
          quote={quote}
          summary={(id) => (
            <PriceSummary
              {...summary}
              quote={quote}
              due={null}
              id={id}
              picture={others.length === 0 ? (only?.slug ?? null) : null}
            />
          )}
          note={<Included {...summary} />}
          button={
            <button type="submit" form={formId} disabled={sending} aria-busy={sending} className={mainButton}>
              {sending ? 'Sending' : buttonText(reason)}
            </button>
          }
        />
      }
    >
      <p className="mb-1 text-[0.9375rem] text-mute">
        <Unbroken text={product.title} />
      </p>
      <h1 className="text-[1.75rem] outline-none lg:text-4xl" tabIndex={-1}>
        {product.agreementFirst ? 'Request the agreement' : others.length > 0 ? 'Choose your dates' : 'Choose a date'}
      </h1>
      {notice && (
        <p className="mt-3 font-semibold" role="status">
          {notice.text}{' '}
          {notice.waitingList && (
            <Link to={notice.waitingList} className="text-link underline underline-offset-4">
              Join the waiting list of this date
            </Link>
          )}
        </p>
      )}
      <div className="mt-5">
        <ErrorSummary form={form} labels={labelsOf(product.courses)} formId={formId} />
      </div>
      <Form
        ref={box}
        id={formId}
        method="post"
        action={action}
        noValidate
        className="relative grid gap-7"
        onChange={(event) => read(event.currentTarget)}
        onSubmit={(event) => begins && keepInHistory(event.currentTarget)}
      >
        <input type="hidden" name="item" value={product.item} />
        {begins && <input type="hidden" name="seen" value={form.values.seen ?? seen} />}
        <ChoiceFields product={product} form={form} today={today} attendees={attendees} />
        <OwnTimesAtOnce />
        <PeopleField form={form} agreementFirst={product.agreementFirst} most={most} />
        <FormGuards form={token && form === opened ? { ...form, token } : form} />
        <p className="max-w-prose text-mute" aria-live="polite">
          {reason === null ? next.place : reason === 'large-group' ? largeGroup(most) : next[reason]}
        </p>
        <noscript>
          <p className="text-sm text-mute">The next page shows the price for several people.</p>
        </noscript>
        <p>
          <Link
            to={others.length === 0 && only ? href('/course/:courseId', { courseId: only.slug }) : href('/enrol')}
            className="inline-block py-1 font-bold text-link underline underline-offset-4"
          >
            {others.length === 0 ? 'Back to the course' : 'Choose something else'}
          </Link>
        </p>
      </Form>
    </CheckoutColumns>
  );
}

function buttonText(reason: ReturnType<typeof requestReason>): string {
  if (reason === 'no-date') return 'Continue to the list';
  return reason === 'large-group' || reason === 'agreement-first' ? 'Continue to the request' : 'Continue';
}

const next = {
  place:
    'We hold your seats for 15 minutes while you fill in the rest, longer if you ask. You don’t buy anything before the last step.',
  'agreement-first':
    'A job-guarantee programme begins with a written agreement. Send us a request: we answer within one business day with the agreement. You owe nothing before you have read and accepted it.',
  'no-date':
    'The next page asks which weeks and which place would suit you. It is free, with no obligation. We offer you a seat when we set a date.',
};

const largeGroup = (most: number): string =>
  `For more than ${most} seats, send us a request. We check the seats and answer within one business day. Until then we hold no seats and you owe nothing.`;

function labelsOf(courses: readonly CourseToChoose[]): Record<string, string> {
  return Object.fromEntries([
    ['attendees', 'Number of people'],
    ...courses.flatMap(({ slug, title }) => [
      [wayField(slug), title],
      [mondayField(slug), `${title}: the first Monday`],
    ]),
  ]);
}

/**
 * Keeps what was chosen with the page's entry in the browser's history, so that a step back shows it, as browsers do
 * without scripts. The form's token goes with it: sent again, the form changes the same draft and its seats instead of
 * holding others.
 */
function keepInHistory(form: HTMLFormElement): void {
  const chosen = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  history.replaceState({ ...history.state, chosen }, '');
}

/**
 * Fills a form with what was kept with the page's entry, and returns the token that was; undefined on a page that is
 * opened for the first time, where it does nothing.
 */
function takeFromHistory(form: HTMLFormElement): string | undefined {
  const chosen: Record<string, string> = history.state?.chosen ?? {};
  for (const [name, value] of Object.entries(chosen)) {
    const field = form.elements.namedItem(name);
    // Of radio buttons too it presses the one with the value.
    if (field && 'value' in field) field.value = value;
  }
  return chosen[tokenField];
}

const numbers = Array.from({ length: mostSeats.person }, (_, at) => String(at + 1));

/** The number of people: one press up to six; more are typed, and beyond `most` go to staff as a request (P28). */
function PeopleField({ form, agreementFirst, most }: { form: FormState; agreementFirst: boolean; most: number }) {
  const error = form.errors.attendees;
  const people = peopleOf(form.values);
  const chosen = numbers.includes(String(people)) ? String(people) : morePeople;
  return (
    <fieldset
      id="attendees"
      tabIndex={-1}
      aria-describedby={error ? 'attendees-error' : 'attendees-hint'}
      className="group/people min-w-0"
    >
      <legend className="mb-3 font-display text-xl font-bold">How many people?</legend>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <div className="flex w-full overflow-hidden rounded-control border border-edge bg-card sm:w-auto">
          {[...numbers, morePeople].map((value) => (
            <label
              key={value}
              className="relative flex min-h-12 grow cursor-pointer items-center justify-center border-edge px-1 font-bold not-first:border-l has-checked:bg-action has-checked:text-white has-focus-visible:outline-3 has-focus-visible:-outline-offset-4 has-focus-visible:outline-straw sm:w-12"
            >
              <input
                type="radio"
                name="attendees"
                value={value}
                defaultChecked={chosen === value}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {value === morePeople ? (
                <>
                  <span aria-hidden="true">7+</span>
                  <span className="sr-only">7 or more</span>
                </>
              ) : (
                value
              )}
            </label>
          ))}
        </div>
        <p id="attendees-hint" className="text-sm text-mute">
          {agreementFirst
            ? 'Each person gets an agreement.'
            : `${most > mostSeats.person ? `Up to ${most} for your organisation. ` : ''}You can give names later.`}
        </p>
      </div>
      <div className="mt-4 hidden max-w-40 group-has-[[value=more]:checked]/people:block">
        <label htmlFor="people" className="mb-1.5 block font-bold">
          7 or more: how many?
        </label>
        <input
          id="people"
          name="people"
          type="number"
          inputMode="numeric"
          min={mostSeats.person + 1}
          max={50}
          defaultValue={form.values.people ?? (chosen === morePeople && people > 0 ? String(people) : '')}
          aria-invalid={error ? true : undefined}
          className={field}
        />
      </div>
      {error && (
        <p id="attendees-error" className="mt-1.5 font-semibold text-fault">
          {error}
        </p>
      )}
    </fieldset>
  );
}
