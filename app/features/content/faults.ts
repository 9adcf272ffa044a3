import type { Content, ContentFileName } from './schema.ts';

/** A fault that only the whole content shows, at a path inside one file. */
export type CrossFault = { file: { name: ContentFileName } | { course: number }; path: PropertyKey[]; message: string };

/** Content with files that could not be read: it lacks their lists, and has only the slug of their courses. */
export type ReadableContent = Partial<Omit<Content, 'courses'>> & Pick<Content, 'courses'>;

/** A message as it follows a label and a colon, one or several: `Tracks: missing`. */
export const afterLabel = (message: string): string => message.replace(/^(is|are) /, '');
