import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { hoursAndMinutes } from '#app/lib/hours.ts';
import { isMet, minutesAsked } from './rules.ts';
import type { Study } from './study.server.ts';
import type { AskedWork } from './work.server.ts';

/** One requirement of a certificate, and its progress, in words for the attendee. */
type Requirement = { what: string; state: string; met: boolean };

/** The requirements of a place's certificate (P61). `text` describes the work, as the course did on the day of sale. */
export type Requirements = { counted: Requirement; work: (Requirement & { text: string }) | null };

type Asked = Pick<Study, 'rule' | 'share' | 'days' | 'work'>;

/** The requirements of a place and their states on the academy's day; all are met when the certificate is `issued`. */
export function requirementsOf(study: Asked, { today, issued }: { today: Day; issued: boolean }): Requirements {
  const counted = study.rule.by === 'exercises' ? exercises(study) : attendance(study, study.rule.percent, today);
  return {
    // A mark that is corrected later takes no certificate back.
    counted: issued && !counted.met ? { ...counted, met: true, state: 'Done. You have your certificate.' } : counted,
    work:
      study.work === null
        ? null
        : {
            what: 'The work of the course is accepted',
            state: workInWords(study.work, issued),
            met: issued || study.work.acceptedAt !== null,
            text: study.work.text,
          },
  };
}

function workInWords({ acceptedAt }: AskedWork, issued: boolean): string {
  if (acceptedAt !== null) return `Done. It was accepted on ${formatDay(academyDay(acceptedAt))}.`;
  if (issued) return 'Done. It was accepted when your certificate was issued.';
  return 'Not accepted yet. Your instructor accepts it once you have handed it in, and can say what is missing.';
}

function attendance({ rule, share, days }: Asked, percent: number, today: Day): Requirement {
  const what = `You attend at least ${percent}% of the hours taught`;
  if (share.of === 0) return { what, state: 'You don’t have a date yet.', met: false };
  const so = `${hoursAndMinutes(share.done)} of ${hoursAndMinutes(share.of)}`;
  const asked = minutesAsked(share, percent);
  if (isMet(rule, share)) return { what, state: `Done. You attended ${so}.`, met: true };
  const unmarked = days.filter(({ mark }) => mark === null);
  const toCome = unmarked.reduce((sum, { minutes }) => sum + minutes, 0);
  const late = unmarked.filter(({ day }) => day < today).length;
  const words = [
    `${so} so far. You need ${hoursAndMinutes(asked)}.`,
    late === 0 ? '' : `${late === 1 ? '1 past day is' : `${late} past days are`} not marked yet.`,
    share.done + toCome < asked ? 'The days left are too few to reach that on this date. Call us about it.' : '',
  ];
  return { what, state: words.filter((one) => one !== '').join(' '), met: false };
}

function exercises({ rule, share: { done, of } }: Asked): Requirement {
  const met = isMet(rule, { done, of });
  const state = met ? `Done. All ${of} exercises are accepted.` : `${done} of ${of} exercises accepted so far.`;
  return { what: 'Every exercise is accepted', state, met };
}

/** How far that is in a line, for a list of courses. */
export const requirementsInShort = ({ counted, work }: Requirements): string =>
  `For the certificate: ${counted.state}${
    work === null
      ? ''
      : work.met
        ? ' The work of the course is accepted.'
        : ' The work of the course has to be accepted too.'
  }`;
