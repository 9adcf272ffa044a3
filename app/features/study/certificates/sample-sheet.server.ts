import type { CertificateSheetProps } from '#app/documents/certificate-sheet.tsx';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { recognitionOf } from '#app/features/catalogue/site/recognition.ts';
import type { CourseDetails } from '#app/features/content/course-schema.ts';
import type { Day } from '#app/lib/dates.ts';
import { usualAttendance } from '#app/lib/taught-hours.ts';
import { isIconName } from '#app/ui/icons.ts';
import { splitOf, treasureOf } from '#app/ui/treasure-art.ts';
import { notShownBy, ruleInWords, strawsOf } from './facts.ts';
import { printedAddress } from './links.ts';
import { qrPath } from './sheet.server.ts';

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
