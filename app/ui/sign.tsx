/** Signs on buttons, as strokes on a grid of 24. Ours, because a library's come with more code than these lines. */
const signs = {
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 6h16M4 12h16M4 18h16',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4.5 4.5',
  pause: 'M8.5 5v14M15.5 5v14',
  play: 'M7 4.5v15L19.5 12z',
  again: 'M4 4.5V10h5.5M4.6 10A8 8 0 1 1 4 13.5',
  back: 'M20 12H5m6-6.5L4.5 12l6.5 6.5',
  previous: 'M15 5.5L8.5 12l6.5 6.5',
  next: 'M9 5.5l6.5 6.5L9 18.5',
  down: 'M5.5 9l6.5 6.5L18.5 9',
  check: 'M4.5 12.5l5 5L20 7',
};

/** One sign in the colour of the text. Decoration: its button has a name. */
export function Sign({ name, className }: { name: keyof typeof signs; className: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden="true"
    >
      <path d={signs[name]} />
    </svg>
  );
}
