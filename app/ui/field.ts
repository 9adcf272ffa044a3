/** Classes for text fields. */
export const field = 'field min-h-11 px-4 py-2.5 placeholder:text-mute hover:border-ink';

/** The same for selects, with room for the arrow. */
export const select = `${field} select-arrow pr-11`;
