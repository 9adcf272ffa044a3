import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { fillIn, firstNameOf } from './bulk-actions/fields.ts';

/** The fields in braces of a template for answers, with descriptions for staff. */
export const answerFields = {
  'first name': 'the first name; “there” where we do not know it',
  course: 'what they wrote about; “the course” where we do not know it',
  'my name': 'the name of the person who answers',
  website: 'the address of our website',
} as const;

/** The recipient of an answer, by the name they gave, and the subject of their message. */
export type Asker = { name: string | null; course: string | null };

/** A template filled in for an answer of one person to another. */
export const filledFor = (body: string, { name, course }: Asker, from: { name: string; website: string }): string =>
  fillIn(body, {
    'first name': showControlCharacters(firstNameOf(name)),
    course: course || 'the course',
    'my name': from.name,
    website: from.website,
  });

/** The typed text with a template below it. */
export const withTemplate = (typed: string, text: string): string =>
  typed.trim() === '' ? text : `${typed.trimEnd()}\n\n${text}`;
