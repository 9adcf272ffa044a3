/** The texts of content, and the numbers in them. */
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { RecordedContent } from '#app/features/content/records.ts';
import { type Content, type ContentFileName, type CrossFault, contentFiles } from '#app/features/content/schema.ts';

/** One visible text and the field that holds it. */
export type Prose = { file: CrossFault['file']; path: PropertyKey[]; text: string };

/** Keys whose values are names for programs, not for readers. */
const notProse = new Set([
  'slug',
  'id',
  'aliases',
  'category',
  'tracks',
  'instructor',
  'course',
  'courses',
  'exams',
  'needs',
  'leadsTo',
  'icon',
  'emoji',
  'zone',
  'email',
  'phone',
  'abn',
  'social',
  'code',
  'replacedBy',
  'typed',
  'beside',
  'facts',
]);

/** Every text of the content, lists first, then courses. */
export function proseOf(content: RecordedContent & Partial<Content>): Prose[] {
  return [
    ...(Object.keys(contentFiles) as ContentFileName[]).flatMap((name) => textsIn({ name }, [], content[name])),
    ...content.courses.flatMap((course, index) => textsIn({ course: index }, [], course)),
  ];
}

function textsIn(file: CrossFault['file'], path: PropertyKey[], value: unknown): Prose[] {
  if (typeof value === 'string') return [{ file, path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(file, [...path, at], item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (notProse.has(key) ? [] : textsIn(file, [...path, key], item)));
}

/** Every visible text of a course with the field that holds it. */
export function textsOf(course: CourseContent): [PropertyKey[], string][] {
  const each = (name: string, texts: string[]) => texts.map((text, at): [PropertyKey[], string] => [[name, at], text]);
  return [
    [['description'], course.description],
    [['overview'], course.overview],
    ...each('objectives', course.objectives),
    ...course.curriculum.flatMap(({ module, topics }, at): [PropertyKey[], string][] => [
      [['curriculum', at, 'module'], module],
      ...topics.map((topic, inner): [PropertyKey[], string] => [['curriculum', at, 'topics', inner], topic]),
    ]),
    ...each('prerequisites', course.prerequisites),
    [['credential'], course.credential],
  ];
}

/** A number in figures, or in words from one to ninety-nine; undefined for any other word. */
export function numberFrom(text: string): number | undefined {
  if (/^\d/.test(text)) return Number(text);
  const words = text.toLowerCase();
  if (belowTwenty.includes(words)) return belowTwenty.indexOf(words) + 1;
  const [ten = '', unit] = words.split('-');
  if (!tens.includes(ten)) return undefined;
  return (tens.indexOf(ten) + 2) * 10 + (unit === undefined ? 0 : belowTwenty.indexOf(unit) + 1);
}

const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const belowTwenty =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
