/** The fields in braces of a message, with their descriptions for staff. */
export const messageFields = {
  'first name': 'the first name; “there” where we do not know it',
  course: 'the course',
  date: 'its days and times',
  place: 'the room and street, or “online”',
  number: 'the number of the enrolment or of the place on the waiting list',
} as const;

const field = /\{([^{}]*)\}/g;

/** Puts values into a text, by the names of their fields. Fields that nobody knows stay as they are. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(field, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole));

const otherScheme = /\b(?!https?:)[a-z][a-z0-9+.-]{0,40}:\/\/|\b(?:javascript|data|vbscript|file):/i;

/**
 * The fault of a text as a template with these fields, as a sentence for its author; null if there is none. The default
 * fields are those of messages.
 */
export function templateFault(text: string, fields: Readonly<Record<string, string>> = messageFields): string | null {
  const unknown = [...text.matchAll(field)].find(([, name = '']) => !Object.hasOwn(fields, name));
  if (unknown) {
    const known = Object.keys(fields).map((name) => `{${name}}`);
    return `We do not know the field ${unknown[0]}. You can use ${known.join(', ')}.`;
  }
  if (/[{}]/.test(text.replaceAll(field, ''))) return 'A brace has no partner. Write fields such as {first name}.';
  const scheme = otherScheme.exec(text);
  if (scheme) return `Links must start with https:// or http://. This one does not: ${scheme[0]}`;
  return null;
}

/** The first name, `Mary` of `Mary Wollstonecraft Shelley`; `there` if the name cannot be used in an email. */
export const firstNameOf = (name: string | null): string => name?.trim().split(/\s+/)[0] || 'there';
