import type { CourseContent } from './course-schema.ts';
import type { CrossFault } from './rules.ts';
import type { Content } from './schema.ts';

/** How the bodies that examine write their codes. Standards such as NIST SP 800-53 are none of them. */
const codeShapes = [
  /\b[A-Z]{2}0-[A-Z]?\d{2,3}\b/g, // CompTIA: SY0-701, FC0-U71
  /\b220-\d{4}\b/g, // CompTIA A+
  /\b(?:AB|AI|AZ|DP|GH|MB|MD|MS|PL|SC)-\d{3}\b/g, // Microsoft
  /\b[A-Z]{3}-C\d{2}\b/g, // Amazon Web Services
  /\b(?:200|300|350)-\d{3}\b/g, // Cisco
  /\b1Z0-\d{3,4}(?:-\d{2})?\b/g, // Oracle
  /\bEX\d{3}\b/g, // Red Hat
  /\b\dV0-\d{2}\.\d{2}\b/g, // VMware
  /\b312-\d{2}\b/g, // EC-Council
  /\bSPLK-\d{4}\b/g, // Splunk
];

/**
 * Exam codes in course texts that exams.yaml does not know, codes in a title that the course does not prepare for, and
 * courses that prepare for an exam which is retired or going without saying so.
 */
export function examCodeFaults({ courses, exams }: Pick<Content, 'courses' | 'exams'>): CrossFault[] {
  const byCode = new Map(exams.map((exam) => [exam.code, exam]));
  return courses.flatMap((course, index): CrossFault[] => {
    const faults: CrossFault[] = [];
    const say = (path: PropertyKey[], message: string) => faults.push({ file: { course: index }, path, message });
    for (const [path, text] of textsOf(course)) {
      for (const code of codesIn(text)) {
        // Oracle adds the year's edition to its codes; a text may leave it out.
        const named = (other: string) => other === code || other.startsWith(`${code}-`);
        if (!exams.some((exam) => named(exam.code))) say(path, `exam ${code} is not in exams.yaml`);
        else if (path[0] === 'title' && !course.exams?.some(named)) say(path, `${code} is missing from "exams"`);
      }
    }
    for (const code of course.exams ?? []) {
      const going = ['retiring', 'retired'].includes(byCode.get(code)?.status ?? '');
      if (going && !/retire|replace|withdrawn/i.test(course.certification)) {
        say(['certification'], `does not say that ${code} is ${byCode.get(code)?.status}`);
      }
    }
    return faults;
  });
}

function codesIn(text: string): string[] {
  return codeShapes.flatMap((shape) => text.match(shape) ?? []);
}

function textsOf(course: CourseContent): [PropertyKey[], string][] {
  return [
    [['title'], course.title],
    [['description'], course.description],
    [['overview'], course.overview],
    ...course.prerequisites.map((text, at): [PropertyKey[], string] => [['prerequisites', at], text]),
    [['certification'], course.certification],
  ];
}
