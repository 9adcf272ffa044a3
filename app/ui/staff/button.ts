import { button } from '#app/ui/button.ts';

/**
 * Classes for the buttons of acts. What cannot be undone by the same form, or ends, closes or takes away something, is
 * `danger`: in the colour of faults, and never filled, so that the page's main act stays the strongest.
 */
export const actButton = {
  ...button,
  danger: 'button min-h-11 px-5 py-2.5 border border-edge bg-card text-fault hover:bg-fault-tint',
} as const;

export type ActLook = keyof typeof actButton;
