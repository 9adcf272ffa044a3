import { encode } from 'uqr';
import type { CertificateSheetProps } from '#app/documents/certificate-sheet.tsx';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { recognitionOf } from '#app/features/catalogue/site/recognition.ts';
import type { CourseDetails } from '#app/features/content/course-schema.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { academyToday } from '#app/lib/clock.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { usualAttendance } from '#app/lib/taught-hours.ts';
import { isIconName } from '#app/ui/icons.ts';
import { hollowOf, splitOf, type Treasure, treasureOf } from '#app/ui/treasure-art.ts';
import type { Certificate } from './certificate.ts';
import { heldInWords, metAndRule, notShownBy, ruleInWords, strawsOf } from './facts.ts';
import { printedAddress, publicAddress } from './links.ts';
import { inFours } from './number.ts';

/** The day in Brisbane on which a certificate was issued. */
export const issuedOn = ({ issuedAt }: Pick<Certificate, 'issuedAt'>): string => academyDay(issuedAt);

/** `4 December 2026`. */
export const dayInWords = (at: Date): string => {
  const day = academyToday({ now: () => at, aheadMs: 0 });
  return formatDays(day, day);
};

/** The treasure of a certificate, as it was when it was issued. */
export const treasureOfCertificate = ({ facts }: Pick<Certificate, 'facts'>): Treasure =>
  treasureOf({ ...facts.treasure, seed: facts.course.slug });

/** A dotted outline, where the certificate is no longer valid. */
export const hollowOfCertificate = ({ facts }: Pick<Certificate, 'facts'>): readonly string[] =>
  hollowOf(facts.treasure.icon);

/** The texts of a certificate's sheet, on paper and on its page. Without a name it says so. */
export function sheetOf(certificate: Certificate, name: string | null, origin: string): CertificateSheetProps {
  const { facts, number, issuedAt } = certificate;
  const { straws, each } = strawsOf(facts);
  return {
    academy: facts.issuer.name,
    company: facts.issuer.company,
    name,
    title: facts.course.title,
    held: heldInWords(facts),
    met: metAndRule(facts),
    instructor: facts.instructor,
    issued: `Issued in Brisbane, ${dayInWords(issuedAt)}`,
    number: inFours(number),
    checkAt: printedAddress(origin),
    qr: qrPath(publicAddress(origin, number)),
    straws,
    each,
    seed: number,
    treasure: treasureOfCertificate(certificate),
    recognition: facts.recognition,
    notShown: facts.notShown.join(' '),
    asOf: issuedOn(certificate),
  };
}

/** A QR code: its size in modules, and its dark ones as one path of that grid. */
function qrPath(text: string): { size: number; d: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const d = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size, d };
}

type Sampled = {
  course: Pick<CourseCard, 'slug' | 'title' | 'hours' | 'tier' | 'icon'>;
  completion: CourseDetails['completion'];
  instructor: string;
  /** The outside exams that the course prepares for. */
  exams: readonly { code: string; body: string }[];
  academy: Pick<MailAcademy, 'name' | 'company'>;
  asOf: Day;
};

/**
 * The certificate of a course as everybody may see it, marked SAMPLE (P19): the very sheet that learners get, of nobody.
 * It says what it takes in place of what was done, so that it promises nothing else than the course's page (P61).
 */
export function sampleSheet(
  { course, completion, instructor, exams, academy, asOf }: Sampled,
  origin: string,
): CertificateSheetProps {
  const rule = { by: 'attendance' as const, percent: completion?.attendance ?? usualAttendance };
  const icon = isIconName(course.icon) ? course.icon : 'shield';
  return {
    academy: academy.name,
    company: academy.company.replaceAll('\u00a0', ' '),
    name: 'Your name',
    title: course.title,
    held: 'Your days, and the hours taught live',
    met: ruleInWords(completion?.attendanceAlone ? { rule } : { rule, workAccepted: true }),
    instructor,
    issued: 'Issued in Brisbane, with the date',
    number: 'Your number',
    checkAt: printedAddress(origin),
    qr: qrPath(`https://${printedAddress(origin)}`),
    ...strawsOf({ met: { minutesTaught: course.hours * 60, minutesAttended: 0, exercises: 0, exercisesAccepted: 0 } }),
    seed: course.slug,
    treasure: treasureOf({ icon, tier: course.tier, split: splitOf(course.slug), seed: course.slug }),
    notShown: notShownBy(exams).join(' '),
    recognition: `This certificate is the academy’s own and not that of an exam body. ${recognitionOf(academy)}`,
    asOf,
    sample: true,
  };
}
