import { accessEndsOn } from '#app/features/money/guided-access.ts';
import type { ChoicePrice } from '#app/features/money/pricing.ts';
import { formatDay } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { brisbaneTime, formatEnd } from '#app/lib/short-dates.ts';
import type { Choice, DateToChoose, ProductToChoose } from './choice.ts';
import type { OpenDraft } from './open-draft.ts';
import type { StepName } from './steps.ts';

/** The summary of a draft that every step shows beside its form. */
export type DraftSummary = {
  token: string;
  /** The whole address under the private link that opens the first step which is not complete. */
  link: string;
  reached: StepName;
  title: string | null;
  courses: { title: string; lines: string[] }[];
  /** The slug of the course whose picture is shown; null for several courses. */
  picture: string | null;
  /** An agreement comes first, so nothing is bought here (P28). */
  agreementFirst: boolean;
  /** Of all courses. */
  hours: number;
  quote: ChoicePrice | null;
  /** The total at the prices first shown if it has fallen since; otherwise null. In cents, GST included. */
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
    link: `${url}/enrol/${token}?${resume}`,
    reached,
    title: product?.title ?? null,
    courses: product && choice ? courseLines(product, choice) : [],
    picture: product?.courses.length === 1 ? (product.courses[0]?.slug ?? null) : null,
    agreementFirst: product?.agreementFirst ?? false,
    hours: product?.courses.reduce((sum, course) => sum + course.hours, 0) ?? 0,
    quote,
    fellFromCents,
    hold:
      hold.state === 'held'
        ? {
            state: 'held',
            leftMs: hold.leftMs,
            untilText: hold.offered ? formatEnd(hold.until) : brisbaneTime(hold.until),
            extensionsLeft: hold.extensionsLeft,
          }
        : hold.state === 'over'
          ? { state: 'over', againText: hold.again && brisbaneTime(hold.again) }
          : hold,
    email: draft.payer.email ?? '',
  };
}

/** In the address of a draft: open the first step that is not complete. */
export const resume = 'resume';

/** Whether a date takes place once these people are enrolled too: their own seats may be what it lacks (P39). */
const decisionWith = ({ state, missing, decision }: DateToChoose, attendees: number): string =>
  state === 'tentative' && missing > 0 && missing <= attendees ? 'Confirmed with your enrolment' : decision;

/** How each course is taken, in words. */
export function courseLines(
  { courses, agreementFirst }: ProductToChoose,
  { choices, attendees }: Choice,
): DraftSummary['courses'] {
  return courses.map(({ id, title, dates }) => {
    if (agreementFirst) return { title, lines: ['By agreement', 'We send you the agreement first'] };
    const choice = choices.find(({ courseId }) => courseId === id);
    const date =
      choice?.way === 'date' ? dates.find(({ courseDateId }) => courseDateId === choice.courseDateId) : undefined;
    if (date) {
      return { title, lines: [date.days, `${date.place}, ${date.times}`, decisionWith(date, attendees)] };
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
