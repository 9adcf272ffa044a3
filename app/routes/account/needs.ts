import { href } from 'react-router';
import type { AccountRecords } from '#app/features/enrolments/account.server.ts';
import { openChoice } from '#app/features/enrolments/may-change.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { brisbaneTime, lastInstant, shortDay } from '#app/lib/short-dates.ts';

/** Something that waits for the player (P56). */
export type Need = {
  key: string;
  /** `By Mon 22 Sept`, or `Any time`. */
  by: string;
  /** For the order; null where there is no day. */
  day: Day | null;
  title: string;
  detail: string;
  act: { text: string; to: string };
  /** Somebody else waits for the answer: the page's one filled button. */
  others: boolean;
};

/** The tasks of a player: tasks with a day first, by day. */
export function needsOf(
  { bought, attended, offers, waiting }: AccountRecords,
  studies: readonly Study[],
  today: Day,
): Need[] {
  const needs: Need[] = [];
  for (const { token, title, until } of offers) {
    const lastMoment = lastInstant(until);
    const day = academyDay(lastMoment);
    needs.push({
      key: `offer ${token}`,
      by: `By ${shortDay(day)}, ${brisbaneTime(lastMoment)}`,
      day,
      title: `A seat is free: ${title}`,
      detail:
        'We keep it for you until then, Brisbane time. If you let it go, we offer it to the next person on the list.',
      act: { text: 'Take the seat or let it go', to: href('/waiting/:token', { token }) },
      others: true,
    });
  }
  for (const { enrolment, money, token } of bought) {
    const { reference, title, places } = enrolment;
    for (const { number, dueOn, dueCents } of money.open) {
      if (dueOn === null || dueCents <= 0 || money.onItsWayCents > 0) continue;
      needs.push({
        key: `pay ${number}`,
        by: dueOn < today ? `Due ${shortDay(dueOn)}, overdue` : `By ${shortDay(dueOn)}`,
        day: dueOn,
        title: `${formatMoney(dueCents)} for ${title}`,
        detail: `Tax invoice ${number}, enrolment ${reference}.`,
        act: { text: 'Pay', to: href('/enrolment/:token', { token }) },
        others: false,
      });
    }
    for (const place of places) {
      const choice = openChoice(place, today);
      if (!choice) continue;
      needs.push({
        key: `choose ${place.id}`,
        by: `By ${shortDay(choice.by)}`,
        day: choice.by,
        title: `Choose what to do about ${place.courseTitle}`,
        detail:
          choice.why === 'course-date-cancelled'
            ? 'We had to cancel the date. Choose another one, or a refund.'
            : 'We had to change the date. Keep the place, move it, or cancel it.',
        act: { text: 'Choose', to: href('/enrolment/:token/choose/:placeId', { token, placeId: String(place.id) }) },
        others: false,
      });
    }
    const unnamed = places.filter(
      ({ state, attendee, courseDate }) =>
        state === 'active' && attendee.name === null && (courseDate?.endsOn ?? today) >= today,
    );
    const [first] = unnamed;
    if (first) {
      needs.push({
        key: `name ${reference}`,
        by: first.courseDate ? `By ${shortDay(first.courseDate.startsOn)}` : 'Any time',
        day: first.courseDate?.startsOn ?? null,
        title: unnamed.length === 1 ? 'Name an attendee' : `Name ${unnamed.length} attendees`,
        detail: `${title}${first.courseDate ? `, ${formatDays(first.courseDate.startsOn, first.courseDate.endsOn)}` : ''}.`,
        act: { text: 'Name them', to: href('/enrolment/:token', { token }) },
        others: false,
      });
    }
  }
  for (const { place, token } of attended) {
    if (place.way !== 'guided' || place.state !== 'active') continue;
    const study = studies.find(({ placeId }) => placeId === place.id);
    for (const { number, mark } of study?.modules ?? []) {
      if (mark === null || mark.accepted) continue;
      needs.push({
        key: `exercise ${place.id} ${number}`,
        by: 'Any time',
        day: null,
        title: `Not yet accepted: ${place.courseTitle}, module ${number}`,
        detail: 'Your instructor left a comment on your answer. You can hand it in again.',
        act: {
          text: 'Read the comment',
          to: href('/place/:token/:placeId/module/:module', {
            token,
            placeId: String(place.id),
            module: String(number),
          }),
        },
        others: false,
      });
    }
  }
  for (const { token, title, confirmed } of waiting) {
    if (confirmed) continue;
    needs.push({
      key: `confirm ${token}`,
      by: 'Any time',
      day: null,
      title: `Confirm your place on the list: ${title}`,
      detail: 'Press the button on its page. Until then we keep no seats for you.',
      act: { text: 'Confirm', to: href('/waiting/:token', { token }) },
      others: false,
    });
  }
  return needs.sort((a, b) => ((a.day ?? last) < (b.day ?? last) ? -1 : (a.day ?? last) > (b.day ?? last) ? 1 : 0));
}

/** Behind every day. */
const last = '9999-12-31';

type Study = { placeId: number; modules: readonly { number: number; mark: { accepted: boolean } | null }[] };
