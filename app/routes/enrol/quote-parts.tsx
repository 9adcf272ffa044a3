import { href, Link } from 'react-router';
import { guidedPrefix } from '#app/features/companies/quote-form.ts';
import { type CourseToChoose, type ProductToChoose, wayField } from '#app/features/enrolments/enrolling/choice.ts';
import { formatDay } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { CheckoutHead } from './checkout-head.tsx';
import { mainButton } from './price-bar.tsx';

/** The labels of the fields in which a date or Monday of each course is chosen. */
export const wayLabels = ({ courses }: ProductToChoose): Record<string, string> =>
  Object.fromEntries(courses.map(({ slug, title }) => [wayField(slug), courses.length > 1 ? title : 'When']));

/** Whether nothing of a product can be quoted without staff. */
export const needsStaff = ({ agreementFirst, courses }: ProductToChoose): boolean =>
  agreementFirst || courses.some((course) => optionsOf(course).length === 0);

/** When each course of a quote is taken. */
export function WayFields({ product, form }: { product: ProductToChoose; form: FormState }) {
  const labels = wayLabels(product);
  return product.courses.map((course) => (
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
  ));
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

/** The page without a course, date or combo: where each is chosen. */
export function ChooseFirst({ title, lead }: { title: string; lead: string }) {
  return (
    <CheckoutHead title={title} lead={lead}>
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
export function NoQuote({ product: { title, courses, agreementFirst } }: { product: ProductToChoose }) {
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

/** The end of a form whose address is proved by a code on the next page; `note` says what becomes of it. */
export function CodeComesNext({ note, sending }: { note: string; sending: boolean }) {
  return (
    <>
      <p className="text-sm text-mute">
        The next page asks for a code that we email to you. {note}{' '}
        <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
          How we treat your data
        </Link>
      </p>
      <div className="sm:max-w-xs">
        <button type="submit" disabled={sending} aria-busy={sending} className={mainButton}>
          {sending ? 'Sending' : 'Continue'}
        </button>
      </div>
    </>
  );
}
