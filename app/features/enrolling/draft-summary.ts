import { accessEndsOn } from '#app/features/money/guided-access.ts';
import type { Quote } from '#app/features/money/pricing.ts';
import { formatDay, formatMoment } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';
import type { Choice, ProductToChoose } from './choice.ts';
import type { OpenDraft } from './open-draft.ts';
import type { StepName } from './steps.ts';

/** What a draft holds so far, as every step shows it beside its form. */
export type DraftSummary = {
  token: string;
  /** The whole address of the first step under the private link. */
  link: string;
  reached: StepName;
  title: string | null;
  courses: { title: string; lines: string[] }[];
  /** Of all courses. */
  hours: number;
  quote: Quote | null;
  /** What it would have cost when the price has fallen since it was first shown; null otherwise. */
  fellFromCents: Cents | null;
  hold:
    | { state: 'none' }
    /** `againText`: from when on the seats can be held again, such as `9:45 AM`; null when at once. */
    | { state: 'over'; againText: string | null }
    | { state: 'held'; leftMs: number; untilText: string; extensionsLeft: number };
  /** The address to which the private link would go. */
  email: string;
};

/** The summary of a draft. `url` is the public origin. */
export function draftSummaryOf(
  { token, product, choice, quote, fellFromCents, hold, reached, draft }: OpenDraft,
  url: string,
): DraftSummary {
  return {
    token,
    link: `${url}/enrol/${token}`,
    reached,
    title: product?.title ?? null,
    courses: product && choice ? courseLines(product, choice) : [],
    hours: product?.courses.reduce((sum, course) => sum + course.hours, 0) ?? 0,
    quote,
    fellFromCents,
    hold:
      hold.state === 'held'
        ? {
            state: 'held',
            leftMs: hold.leftMs,
            untilText: hold.offered ? formatMoment(new Date(hold.until.getTime() - 1)) : timeText(hold.until),
            extensionsLeft: hold.extensionsLeft,
          }
        : hold.state === 'over'
          ? { state: 'over', againText: hold.again && timeText(hold.again) }
          : hold,
    email: draft.payer.email ?? '',
  };
}

const timeText = (at: Date) => formatTime(wallClockAt('Australia/Brisbane', at).time);

/** How each course is taken, in words. */
export function courseLines({ courses }: ProductToChoose, { choices }: Choice): DraftSummary['courses'] {
  return courses.map(({ id, title, dates }) => {
    const choice = choices.find(({ courseId }) => courseId === id);
    const date = choice?.way === 'session' ? dates.find(({ sessionId }) => sessionId === choice.sessionId) : undefined;
    if (date) {
      return { title, lines: [date.days, `${date.place}, ${date.times}`, date.decision] };
    }
    if (choice?.way === 'guided') {
      return {
        title,
        lines: [`Guided, from ${formatDay(choice.from)}`, `Access until ${formatDay(accessEndsOn(choice.from))}`],
      };
    }
    return {
      title,
      lines: ['On the list for the next date', 'We invoice it when it has a date; you owe nothing before'],
    };
  });
}
