import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import type { OwnTimes } from '#app/features/course-dates/own-times.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import { type ChoicePrice, type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

/** A date of a course that the buyer can choose. */
export type DateToChoose = {
  slug: string;
  courseDateId: number;
  days: string;
  place: string;
  /** `9:00 AM to 5:00 PM AEST, 5 days`. */
  times: string;
  ownTimes: OwnTimes | null;
  /** The date as the last step sends it back. */
  shown: string;
  /** Whether it is held, in words (P39). */
  decision: string;
  firstDay: Day;
  state: CourseDate['state'];
  /** How many more people have to enrol before it is confirmed; absent when it is. */
  missing: number;
  /** Seats left, those included that this visitor already holds. */
  seats: number;
  /** Seats of others that may come free again, in sentences; '' for none. */
  kept: string;
};

/** A course of a product, with the ways to take it (P38). */
export type CourseToChoose = {
  id: number;
  slug: string;
  title: string;
  hours: number;
  priceCents: Cents;
  dates: DateToChoose[];
  /** The Mondays on which guided study may begin; none when the course is not guided. */
  mondays: Day[];
};

/** A product with every way to take its courses. `item` names it in addresses and forms, such as `course:cissp`. */
export type ProductToChoose = {
  item: string;
  title: string;
  comboId: number | null;
  courses: CourseToChoose[];
  /** Today's, one for each course. */
  prices: CoursePrice[];
  /** Job-guarantee programmes: an agreement comes first, so staff answer a request (P28). */
  agreementFirst: boolean;
};

/** A choice that was made: how each course is taken, and by how many. */
export type Choice = { choices: CourseChoice[]; attendees: number };

/** For more, a private cohort is the better offer. */
const mostOfRequest = 50;

/** Names of the fields of a course in the form. */
export const wayField = (slug: string) => `way-${slug}`;
export const mondayField = (slug: string) => `monday-${slug}`;

/** The names of the fields in which the buyer chooses the ways of a product. */
export function choiceFields({ courses }: ProductToChoose): string[] {
  return ['item', 'attendees', 'people', ...courses.flatMap(({ slug }) => [wayField(slug), mondayField(slug)])];
}

/** The value of the number of attendees beside which a larger one is typed, in the field `people`. */
export const morePeople = 'more';

/** How many attend, as it was pressed or typed; NaN for no number. */
export const peopleOf = ({ attendees, people }: FormValues): number =>
  Number((attendees === morePeople ? people : attendees) || Number.NaN);

/** How many people the checkout asks to name: more than six are named afterwards, from a list or by a link (P115). */
export const namedAtOnce = (people: number): number => (people > mostSeats.person ? 0 : people);

export type ReadChoice = { ok: true; choice: Choice } | { ok: false; errors: FieldErrors };

/** Reads the choice. The write checks whether seats are left. */
export function readChoice(product: ProductToChoose, values: FormValues): ReadChoice {
  const errors: FieldErrors = {};
  const attendees = peopleOf(values);
  if (!Number.isInteger(attendees) || attendees < 1) {
    errors.attendees = 'Enter how many people will attend, as a whole number from 1.';
  } else if (attendees > mostOfRequest) {
    errors.attendees = `For more than ${mostOfRequest} people, ask for a private cohort on the contact page.`;
  }
  const choices = product.courses.flatMap((course): CourseChoice[] => {
    const way = values[wayField(course.slug)] ?? '';
    if (way === 'next-date') return [{ courseId: course.id, way: 'next-date' }];
    const date = course.dates.find(({ slug }) => way === `course-date:${slug}`);
    if (date) return [{ courseId: course.id, way: 'date', courseDateId: date.courseDateId }];
    const from = values[mondayField(course.slug)] ?? '';
    if (way === 'guided' && course.mondays.includes(from)) return [{ courseId: course.id, way: 'guided', from }];
    if (way === 'guided' && course.mondays.length > 0) {
      errors[mondayField(course.slug)] = 'Choose the Monday on which the guided study begins.';
    } else {
      errors[wayField(course.slug)] =
        way === '' ? 'Choose how you want to take it.' : 'What you chose can no longer be chosen. Choose again.';
    }
    return [];
  });
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, choice: { choices, attendees } };
}

/**
 * The form before anything is typed: what the address names is chosen, else the first date with a seat; the list where
 * there is nothing else, and where an agreement comes first, which takes no seat.
 */
export function freshChoice(product: ProductToChoose, courseDateSlug: string | null): FormValues {
  const values: FormValues = { item: product.item, attendees: '1' };
  for (const { slug, dates, mondays } of product.courses) {
    const named = dates.find((date) => date.slug === courseDateSlug);
    const date = named ?? (product.courses.length === 1 ? dates.find(({ seats }) => seats > 0) : undefined);
    if (product.agreementFirst) values[wayField(slug)] = 'next-date';
    else if (date) values[wayField(slug)] = `course-date:${date.slug}`;
    else if (dates.length === 0 && mondays.length === 0) values[wayField(slug)] = 'next-date';
    values[mondayField(slug)] = mondays[0] ?? '';
  }
  return values;
}

/**
 * Whether a date is still tentative after so many more enrolments. Reaching the minimum confirms it (P39), and those for
 * whom no seat is left do not count.
 */
export const staysTentative = (
  { state, missing, seats }: Pick<DateToChoose, 'state' | 'missing' | 'seats'>,
  attendees: number,
): boolean => state === 'tentative' && (attendees < missing || attendees > seats);

/** The seats a choice takes, by course date. */
export function seatsOf({ choices, attendees }: Choice): { courseDateId: number; seats: number }[] {
  return choices.flatMap((choice) =>
    choice.way === 'date' ? [{ courseDateId: choice.courseDateId, seats: attendees }] : [],
  );
}

/** The price of a product with the choices made so far; a course without a chosen way counts as paid now. */
export function quoteOfChoice(
  { courses }: Pick<ProductToChoose, 'courses'>,
  prices: readonly CoursePrice[],
  { attendees, choices = [] }: { attendees: number; choices?: readonly CourseChoice[] },
): ChoicePrice {
  const ways = courses.map(({ id }) => choices.find(({ courseId }) => courseId === id)?.way ?? 'date');
  return quoteOfPrices(prices, attendees, ways);
}

/** Why a choice goes to staff as a request, null when it can be placed (P28, P38). `most`: seats of this buyer. */
export function requestReason(
  { agreementFirst }: Pick<ProductToChoose, 'agreementFirst'>,
  choice: Choice,
  most: number = mostSeats.person,
): 'agreement-first' | 'large-group' | 'no-date' | null {
  if (agreementFirst) return 'agreement-first';
  const seats = seatsOf(choice).reduce((sum, one) => sum + one.seats, 0);
  if (choice.attendees > most || seats > most) return 'large-group';
  if (choice.choices.every(({ way }) => way === 'next-date')) return 'no-date';
  return null;
}
