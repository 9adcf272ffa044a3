import { type Day, formatDays } from '#app/lib/dates.ts';
import { type Delivery, deliveryText } from '#app/lib/delivery.ts';
import { formatCount } from '#app/lib/money.ts';
import { seedOf } from '#app/ui/seeded.ts';

/** The texts of a share picture, without price and seats, because networks keep pictures for months. */
export type SharePicture = { kicker: string; title: string; facts: readonly string[] };

/** Rises when the pictures are drawn differently, so that networks fetch them again. */
const look = 1;

/** The address of a picture with a hash of its texts, so that networks fetch it again after an edit. */
export function versioned(path: string, picture: SharePicture): string {
  return `${path}?v=${seedOf(JSON.stringify([look, picture])).toString(36)}`;
}

export const sitePicture: SharePicture = {
  kicker: 'Brisbane, Queensland',
  title: 'Cybersecurity, AI and cloud training',
  facts: ['Real syllabuses, real dates', 'Prices that include GST'],
};

type Course = { title: string; category: { name: string }; level: string; hours: number };

export function coursePicture({ title, category, level, hours }: Course): SharePicture {
  return { kicker: category.name, title, facts: [`${level}, ${hours} hours`] };
}

type CourseDate = { course: { title: string }; startDate: Day; endDate: Day; delivery: Delivery; venue: string | null };

export function courseDatePicture(courseDate: CourseDate): SharePicture {
  const days = formatDays(courseDate.startDate, courseDate.endDate);
  return { kicker: 'Course date', title: courseDate.course.title, facts: [days, deliveryText(courseDate)] };
}

type Certification = { name: string; provider: string; course: { level: string; hours: number } };

export function certificationPicture({ name, provider, course }: Certification): SharePicture {
  return { kicker: `Certification by ${provider}`, title: name, facts: [`${course.level}, ${course.hours} hours`] };
}

export function questLinePicture(questLine: { title: string; steps: unknown[]; hours: number }): SharePicture {
  const { title, steps, hours } = questLine;
  return { kicker: 'Quest line', title, facts: [`${steps.length} quests, ${formatCount(hours)} hours`] };
}
