/** What can stand in braces in a message, and what staff read about it. */
export const messageFields = {
  'first name': 'the first name; “there” where we do not know it',
  course: 'the course',
  date: 'its days and times',
  place: 'the room and street, or “online”',
  number: 'the number of the enrolment or of the place on the waiting list',
} as const;

export type MessageField = keyof typeof messageFields;
export type FieldValues = Record<MessageField, string>;

const field = /\{([^{}]*)\}/g;

/** Puts a person's values into a text. Fields that nobody knows stay as they are. */
export const fillIn = (text: string, values: FieldValues): string =>
  text.replace(field, (whole, name: string) => (isField(name) ? values[name] : whole));

const isField = (name: string): name is MessageField => Object.hasOwn(messageFields, name);

const otherScheme = /\b(?!https?:)[a-z][a-z0-9+.-]*:\/\/|\b(?:javascript|data|vbscript|file):/i;

/** What is wrong with a text as a template, in a sentence for whoever wrote it; null for nothing. */
export function templateFault(text: string): string | null {
  const unknown = [...text.matchAll(field)].find(([, name = '']) => !isField(name));
  if (unknown) {
    const known = Object.keys(messageFields).map((name) => `{${name}}`);
    return `We do not know the field ${unknown[0]}. You can use ${known.join(', ')}.`;
  }
  if (/[{}]/.test(text.replaceAll(field, ''))) return 'A brace has no partner. Write fields such as {first name}.';
  const scheme = otherScheme.exec(text);
  if (scheme) return `Links must start with https:// or http://. This one does not: ${scheme[0]}`;
  return null;
}

/** `Mary` of `Mary Wollstonecraft Shelley`; `there` of a name that cannot stand in an email. */
export const firstNameOf = (name: string | null): string => name?.trim().split(/\s+/)[0] || 'there';
