import type { Db } from '#app/db/client.server.ts';
import { type Choice, type ProductToChoose, staysTentative } from '#app/features/enrolments/enrolling/choice.ts';
import { dueOn } from '#app/features/money/invoice-rules.ts';
import { readSeller } from '#app/features/money/invoices.server.ts';
import { type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import type { Due } from './price-summary.tsx';

/**
 * The due day of a choice that is placed on a given day, in words, and the dates that have to be confirmed first (P39).
 */
async function dueOf(db: Db, { product, choice }: Chosen, today: Day) {
  const { holidays } = await readSeller(db);
  const dates = product.courses.flatMap(({ id, title, dates: offered }) => {
    const taken = choice.choices.find(({ courseId }) => courseId === id);
    const date =
      taken?.way === 'date' ? offered.find(({ courseDateId }) => courseDateId === taken.courseDateId) : undefined;
    return date ? [{ ...date, title }] : [];
  });
  const mondays = choice.choices.flatMap((one) => (one.way === 'guided' ? [one.from] : []));
  const firstDay = [...dates.map((date) => date.firstDay), ...mondays].toSorted()[0] ?? null;
  const day = dueOn(today, firstDay, holidays);
  const due = formatDay(day);
  const undecided = dates.filter((date) => staysTentative(date, choice.attendees));
  return { day, due, undecided, dates };
}

/** The same for the price beside the steps. */
export async function dueBesidePrice(db: Db, chosen: Chosen, today: Day): Promise<Due> {
  const { day, due, undecided } = await dueOf(db, chosen, today);
  return { by: due, short: formatDayAndMonth(day), undecided: undecided.length > 0 };
}

type Chosen = { product: ProductToChoose; choice: Choice };

/**
 * The amounts and days that placing a choice would make due, in sentences, by the rules of its invoice (P39). Courses
 * without a date are not invoiced yet. `byCard`: whether card payment is set up (P29).
 */
export async function dueAfterPlacing(
  db: Db,
  { product, choice }: Chosen,
  { today, byCard }: { today: Day; byCard: boolean },
): Promise<string> {
  const { due, undecided, dates } = await dueOf(db, { product, choice }, today);
  const [one] = undecided;
  if (one) {
    const what =
      undecided.length > 1
        ? 'the dates are'
        : product.courses.length > 1
          ? `the date of ${one.title} is`
          : 'the date is';
    return `Nothing is due before ${what} confirmed, and not before ${due}.`;
  }
  const confirmed = dates.filter(({ state }) => state === 'tentative').map(({ title }) => title);
  const confirms =
    confirmed.length === 0
      ? ''
      : ` With your enrolment enough people have enrolled, so we confirm ${
          product.courses.length > 1 ? `the date of ${confirmed.join(' and of ')}` : 'the date'
        } at once.`;
  return `You pay by ${due}, by bank transfer${byCard ? ' or card' : ''}.${confirms}`;
}
