import type { Db } from '#app/db/client.server.ts';
import { type Choice, type ProductToChoose, staysTentative } from '#app/features/enrolling/choice.ts';
import { dueOn } from '#app/features/money/invoice-rules.ts';
import { readSeller } from '#app/features/money/parties.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';

/**
 * What placing a choice on a day makes due when, in sentences: the same rules as those of the invoice that it brings
 * (P39). Of what has no date yet nothing is invoiced.
 */
export async function dueAfterPlacing(
  db: Db,
  { product, choice }: { product: ProductToChoose; choice: Choice },
  today: Day,
): Promise<string> {
  const { holidays } = await readSeller(db);
  const dates = product.courses.flatMap(({ id, title, dates: offered }) => {
    const taken = choice.choices.find(({ courseId }) => courseId === id);
    const date = taken?.way === 'session' ? offered.find(({ sessionId }) => sessionId === taken.sessionId) : undefined;
    return date ? [{ ...date, title }] : [];
  });
  const mondays = choice.choices.flatMap((one) => (one.way === 'guided' ? [one.from] : []));
  const firstDay = [...dates.map((date) => date.firstDay), ...mondays].toSorted()[0] ?? null;
  const due = formatDay(dueOn(today, firstDay, holidays));
  const undecided = dates.filter((date) => staysTentative(date, choice.attendees));
  const [one] = undecided;
  if (one) {
    const what =
      undecided.length > 1
        ? 'the sessions are'
        : product.courses.length > 1
          ? `the session of ${one.title} is`
          : 'the session is';
    return `You pay by bank transfer. Nothing is due before ${what} confirmed, and not before ${due}.`;
  }
  const confirmed = dates.filter(({ state }) => state === 'tentative').map(({ title }) => title);
  const confirms =
    confirmed.length === 0
      ? ''
      : ` With your enrolment enough people have enrolled, so we confirm ${
          product.courses.length > 1 ? `the session of ${confirmed.join(' and of ')}` : 'the session'
        } at once.`;
  return `You pay by bank transfer by ${due}.${confirms}`;
}
