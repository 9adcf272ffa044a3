import type { Content, ContentFileName } from './schema.ts';

/** A fault that only the whole content shows, at a path inside one file. */
export type CrossFault = { file: { name: ContentFileName } | { course: number }; path: PropertyKey[]; message: string };

/** Content of which some files could not be read: their lists are missing, and of courses only the slug is known. */
export type ReadableContent = Partial<Omit<Content, 'courses'>> & Pick<Content, 'courses'>;
