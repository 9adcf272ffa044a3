/** Codes of exams, sources of figures, and synonyms, against what the content has. */
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { RecordedContent } from '#app/features/content/records.ts';
import type { Content, CrossFault } from '#app/features/content/schema.ts';
import { proseOf } from './prose.ts';

/** The forms of exam codes, by examining body. Numbers of standards such as NIST SP 800-53 do not match. */
const codeShapes = [
  /\b(?:[A-Z]{2}0|N10|CAS)-[A-Z]?\d{2,3}\b/g, // CompTIA: SY0-701, FC0-U71, N10-009, CAS-005
  /\b220-\d{4}\b/g, // CompTIA A+
  /\b(?:AB|AI|AZ|DP|GH|MB|MD|MS|PL|SC)-\d{3}\b/g, // Microsoft
  /\b[A-Z]{3}-C\d{2}\b/g, // Amazon Web Services
  // Cisco; a round second half is a range of something else.
  /\b(?:100|200|300|350|400|700)-(?!\d00)\d{3}\b/g,
  /\b1Z0-\d{3,4}(?:-\d{2})?\b/g, // Oracle
  /\bEX\d{3}\b/g, // Red Hat
  /\b\dV0-\d{2}\.\d{2}\b/g, // VMware
  /\b312-\d{2}(?=v\d|\b)/g, // EC-Council
  /\b(?:PCEP|PCAP)-\d{2}-\d{2}\b/g, // Python Institute
  /\bSPLK-\d{4}\b/g, // Splunk
  /\bOGEA-\d{3}\b/g, // The Open Group
  /\b(?:FCP|NSE\d)_[A-Z_]+-\d\.\d\b/g, // Fortinet
];

/** The codes in a text that have the shape of an exam's. */
export function examCodesIn(text: string): string[] {
  return codeShapes.flatMap((shape) => text.match(shape) ?? []);
}

/**
 * Exam codes in any text that exams.yaml does not know, codes in a title that the course does not prepare for, and
 * courses that prepare for an exam which is retired or going without saying so.
 */
export function examCodeFaults(content: RecordedContent): CrossFault[] {
  const { courses, exams } = content;
  // Oracle adds the year's edition to its codes; a text may leave it out.
  const names = (code: string) => (other: string) => other === code || other.startsWith(`${code}-`);
  const unknown = proseOf(content).flatMap(({ file, path, text }) =>
    examCodesIn(text)
      .filter((code) => !exams.some((exam) => names(code)(exam.code)))
      .map((code): CrossFault => ({ file, path, message: `exam ${code} is not in exams.yaml` })),
  );
  const untold = courses.flatMap((course, index): CrossFault[] => {
    const file = { course: index };
    return [
      ...examCodesIn(course.title)
        .filter((code) => exams.some((exam) => names(code)(exam.code)) && !course.exams?.some(names(code)))
        .map((code) => ({ file, path: ['title'], message: `${code} is missing from "exams"` })),
      ...exams
        .filter(({ code, status }) => course.exams?.includes(code) && (status === 'retiring' || status === 'retired'))
        .filter((exam) => !saysThatItGoes(course, exam))
        .map(({ code, status }) => ({
          file,
          path: ['credential'],
          message: `does not say that ${code} is ${status}`,
        })),
    ];
  });
  return [...unknown, ...untold];
}

/** One sentence of the credential text names the exam or its successor and says that it ends or is replaced. */
function saysThatItGoes({ credential }: CourseContent, { code, replacedBy }: Content['exams'][number]): boolean {
  return credential
    .split(/(?<=[.;])\s/)
    .filter((sentence) => sentence.includes(code) || (replacedBy !== undefined && sentence.includes(replacedBy)))
    .some((sentence) => /retire|replace|withdraw/i.test(sentence));
}

/** Pass rates without a source, and partners without a description of the partnership (P6). */
export function missingSources({ certifications, partners }: RecordedContent): CrossFault[] {
  return [
    ...certifications.flatMap((group, at) =>
      group.certifications.flatMap(({ passRateSource }, inner): CrossFault[] =>
        passRateSource
          ? []
          : [
              {
                file: { name: 'certifications' },
                path: [at, 'certifications', inner, 'passRate'],
                message: 'needs "passRateSource"',
              },
            ],
      ),
    ),
    ...partners.flatMap(({ meaning }, at): CrossFault[] =>
      meaning ? [] : [{ file: { name: 'partners' }, path: [at, 'name'], message: 'needs "meaning"' }],
    ),
  ];
}

/** Synonyms that lead nowhere: search looks for the words they mean in titles and descriptions of courses (P8). */
export function synonymFaults({ synonyms, courses }: RecordedContent): CrossFault[] {
  const texts = courses.map(({ title, description }) => `${title}\n${description}`.toLowerCase());
  return synonyms.flatMap(({ typed, means }, at) =>
    means.flatMap((text, inner): CrossFault[] => {
      const path = [at, 'means', inner];
      const meant = text.toLowerCase();
      if (meant === typed) return [{ file: { name: 'synonyms' }, path, message: 'is what was typed' }];
      if (texts.some((one) => one.includes(meant))) return [];
      return [{ file: { name: 'synonyms' }, path, message: `no course has "${text}" in its title or description` }];
    }),
  );
}
