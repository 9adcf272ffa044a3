import type { CrossFault } from '#app/features/content/faults.ts';
import { type Content, type ContentFileName, contentFiles } from '#app/features/content/schema.ts';

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
export function proseOf(content: Content): Prose[] {
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
