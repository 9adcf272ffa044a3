import { comboPrice } from '#app/features/promotions/rules.ts';
import { formatSessionHours, formatSessionTime } from '#app/features/sessions/rules.ts';
import { takesEnrolments } from '#app/features/sessions/states.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';

/** What one can enrol in: `item` is its name in a form, such as `session:cissp-melbourne`. */
export type Offer = {
  item: string;
  group: 'Training sessions' | 'Courses' | 'Combos';
  title: string;
  /** The title, and what tells a training session from the others. */
  label: string;
  /** A person. */
  priceCents: Cents;
  /** Hours of a course, on a date with how they are spent; of a combo the sum. */
  hours: string;
  /** Of a training session only. */
  date?: {
    /** The item of its course. */
    course: string;
    days: string;
    place: string;
    times: string;
    seats: number;
  };
  /** Titles of the courses of a combo. */
  courses?: string[];
};

/** Everything on offer on a day: sessions to come, every course, every combo at its price of the moment. */
export function offersOf(snapshot: Snapshot, at: { today: string; promotionRuns: boolean }): Offer[] {
  return [
    ...snapshot.sessions
      .filter((session) => takesEnrolments(session, at.today))
      .map((session): Offer => {
        const { slug, course, startDate, endDate, seatsAvailable } = session;
        const [days, place] = [formatDays(startDate, endDate), deliveryText(session)];
        const count = daysBetween(startDate, endDate) + 1;
        return {
          item: `session:${slug}`,
          group: 'Training sessions',
          title: course.title,
          label: `${course.title}, ${days}, ${place}`,
          priceCents: course.priceCents,
          hours: formatSessionHours(session),
          date: {
            course: `course:${course.slug}`,
            days,
            place,
            times: `${formatSessionTime(session)}${count > 1 ? `, ${count}\u00a0days` : ''}`,
            seats: seatsAvailable,
          },
        };
      }),
    ...[...snapshot.courses]
      .sort((a, b) => a.card.title.localeCompare(b.card.title, 'en-AU'))
      .map(
        ({ card }): Offer => ({
          item: `course:${card.slug}`,
          group: 'Courses',
          title: card.title,
          label: card.title,
          priceCents: card.priceCents,
          hours: String(card.hours),
        }),
      ),
    ...snapshot.combos.map(
      (combo): Offer => ({
        item: `combo:${combo.slug}`,
        group: 'Combos',
        title: combo.title,
        label: combo.title,
        priceCents: comboPrice(combo, at.promotionRuns).priceCents,
        hours: String(combo.courses.reduce((sum, { hours }) => sum + hours, 0)),
        courses: combo.courses.map(({ title }) => title),
      }),
    ),
  ];
}

/** The offer as one line of a list: its name, the seats left on a date, and its price. */
export function offerLine({ label, date, priceCents }: Offer): string {
  return `${label}${date ? `, ${date.seats} seats left` : ''} (${formatMoney(priceCents)})`;
}
