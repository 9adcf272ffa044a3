import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { waysOf, waysText } from '#app/features/catalogue/ways.ts';
import { hasFreeSeat, upcomingSessionsOf } from '#app/features/sessions/rules.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { WishedCourse } from './rules.ts';

/** A course as lists of wishes show it. */
export function wishedCourse(card: CourseCard, { sessions }: Pick<Snapshot, 'sessions'>, today: Day): WishedCourse {
  const next = upcomingSessionsOf(sessions, card.slug, today).find((session) => hasFreeSeat(session, today));
  const place = next && (next.venue ?? 'online');
  return {
    slug: card.slug,
    title: card.title,
    price: `${formatMoney(card.priceCents)} incl. GST`,
    when: next ? `Next date: ${formatDays(next.startDate, next.endDate)}, ${place}` : waysText(waysOf(card, false)),
  };
}

/** The courses with these slugs that are offered, in the order given; renamed ones under their new address, each once. */
export function wishedCourses(
  slugs: readonly string[],
  snapshot: Pick<Snapshot, 'sessions' | 'bySlug' | 'aliases'>,
  today: Day,
): WishedCourse[] {
  const now = new Set(slugs.map((slug) => snapshot.aliases.get(slug) ?? slug));
  return [...now].flatMap((slug) => {
    const course = snapshot.bySlug.get(slug);
    return course ? [wishedCourse(course.card, snapshot, today)] : [];
  });
}
