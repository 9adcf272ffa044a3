/** Classes for buttons and for links that look like buttons; at least 44 px high. */
const base =
  'inline-flex items-center justify-center gap-2 rounded-control text-center font-bold transition-colors min-h-11 px-5 py-2.5';

export const button = {
  primary: `${base} bg-action text-white hover:bg-action-hover`,
  straw: `${base} bg-straw text-on-straw hover:bg-straw-hover`,
  quiet: `${base} border border-edge bg-card text-ink hover:border-ink`,
  onSatin: `${base} border-2 border-on-satin-mute text-on-satin hover:border-on-satin`,
} as const;
