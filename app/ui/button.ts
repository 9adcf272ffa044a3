/** Classes for buttons and for links that look like buttons; 44 px high with any border, on pages for staff 32. */
const base = 'button min-h-11 px-5 py-2';

export const button = {
  primary: `${base} bg-action text-white hover:bg-action-hover`,
  straw: `${base} bg-straw text-on-straw hover:bg-straw-hover`,
  quiet: `${base} border border-edge bg-card text-ink hover:border-ink`,
  onSatin: `${base} border-2 border-on-satin-mute text-on-satin hover:border-on-satin`,
} as const;
