import type { Tier } from '#app/features/catalogue/rules.ts';
import type { CompletionRule } from '#app/features/study/rules.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import type { Level } from '#app/lib/levels.ts';
import type { IconName } from '#app/ui/icons.ts';
import type { Split } from '#app/ui/treasure-art.ts';

/**
 * The facts on which a certificate was issued (P64). They are stored as they were, so that no renamed course, no
 * instructor who left and no corrected mark changes the certificate. The holder's name is stored beside them.
 */
export type CertificateFacts = {
  course: {
    title: string;
    /** Its address then; a renamed course keeps it as an alias. */
    slug: string;
    level: Level;
    description: string;
    /** All its work, taught live and in one's own time. */
    hours: number;
  };
  firstDay: Day;
  lastDay: Day;
  instructor: string | null;
  /** The rule that the place met (P61). */
  rule: CompletionRule;
  /** The minutes or exercises that met the rule. Minutes of guided study are the hours of the course. */
  met: { minutesTaught: number; minutesAttended: number; exercises: number; exercisesAccepted: number };
  /** Its issuer confirmed that the course's work was accepted (P61); left out when it asks for none. */
  workAccepted?: true;
  /** A sentence for each body whose exams the course prepares for: the certificate does not prove them. */
  notShown: readonly string[];
  /** Sentences: the certificate is the academy's own, and the training is not nationally recognised. */
  recognition: string;
  treasure: { icon: IconName; tier: Tier; split: Split };
  /** The academy's name, and the company with its ABN. */
  issuer: { name: string; company: string };
};

/**
 * The state of a certificate (P64). `undone`: undone before anyone was told of it; its number is answered as unknown.
 */
export type CertificateState = 'issued' | 'undone' | 'revoked' | 'withdrawn' | 'superseded';

/** The holder's choice of what the public page shows. */
export type Shows = 'valid' | 'name';

/** Why a certificate can be revoked. Fixed sentences: its page shows them to everybody, so nobody types there. */
export const revocations = {
  'wrong-person': 'it was issued to the wrong person',
  attendance: 'attendance had been recorded wrongly',
  exercises: 'an exercise had been accepted by mistake',
  mistake: 'it was issued by mistake',
  'not-own-work': 'the exercises were not the holder’s own work',
} as const;
export type Revocation = keyof typeof revocations;

/** `64`, `7.5`: minutes as hours, to one place. */
const inHours = (minutes: number): string => String(Math.round(minutes / 6) / 10);

const hours = (count: string) => (count === '1' ? '1 hour' : `${count} hours`);

/** `23 November to 4 December 2026, 64 hours`: hours taught live, or of guided study the course's hours. */
export function heldInWords({ firstDay, lastDay, rule, met }: CertificateFacts): string {
  const days = formatDays(firstDay, lastDay);
  const length = hours(inHours(met.minutesTaught));
  return rule.by === 'attendance' ? `${days}, ${length}` : `Guided study, ${days}, a course of ${length}`;
}

type Met = Pick<CertificateFacts, 'rule' | 'met' | 'workAccepted'>;

export const ruleInWords = ({ rule, workAccepted }: Omit<Met, 'met'>): string => {
  const counted =
    rule.by === 'attendance' ? `Present for at least ${rule.percent}% of the hours` : 'Every exercise accepted';
  return workAccepted ? `${counted}, and the assessed work accepted` : counted;
};

/** The counted part of the rule, without the work. */
const countedInWords = ({ rule, met }: Met): string =>
  rule.by === 'attendance'
    ? `Present for ${inHours(met.minutesAttended)} of ${hours(inHours(met.minutesTaught))}`
    : `${met.exercisesAccepted} of ${met.exercises} exercises accepted`;

export const metInWords = (facts: Met): string =>
  facts.workAccepted ? `${countedInWords(facts)}; assessed work accepted` : countedInWords(facts);

/** The line of the printed certificate that has both. */
export const metAndRule = (facts: Met): string => {
  const asks = facts.rule.by === 'attendance' ? `${facts.rule.percent}%` : 'all of them';
  const counted = `${countedInWords(facts)}; the rule asks for ${asks}`;
  return facts.workAccepted ? `${counted}. Assessed work accepted.` : counted;
};

/** An outside exam that the course prepares for. */
type Outside = { code: string; body: string };

/** The disclaimers of a certificate: one sentence for each body whose exam the course prepares for. */
export function notShownBy(exams: readonly Outside[]): string[] {
  return [...new Set(exams.map(({ body }) => body))].map((body) => {
    const codes = exams.filter((exam) => exam.body === body).map(({ code }) => code);
    return codes.length === 1
      ? `This is not a certification of ${body}. ${body} sets the exam ${codes[0]} and awards the title.`
      : `This is not a certification of ${body}. ${body} sets the exams ${codes.slice(0, -1).join(', ')} and ${codes.at(-1)} and awards the titles.`;
  });
}

/** The number of straws in the arch of a certificate, and the study time of each. */
export function strawsOf({ met }: Pick<CertificateFacts, 'met'>): { straws: number; each: string } {
  const minutes = met.minutesTaught;
  const half = Math.round(minutes / 30);
  if (half <= 160) return { straws: half, each: 'half hour' };
  const whole = Math.round(minutes / 60);
  if (whole <= 200) return { straws: whole, each: 'hour' };
  return { straws: Math.round(minutes / 120), each: 'two hours' };
}
