/** Classes for the links that filter a list; the current one is filled. */
export const filterLink =
  'flex min-h-9 items-center rounded-full border border-edge px-4 text-sm font-bold hover:border-ink aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-paper';
