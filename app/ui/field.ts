/** Classes for text fields. */
export const field =
  'w-full min-h-11 rounded-control border border-edge bg-card px-4 py-2.5 text-ink placeholder:text-mute hover:border-ink';

/** The same for selects, with room for the arrow. */
export const select = `${field} select-arrow pr-11`;
