/** Something that was found, with where it is. */
export type Found = {
  to: string;
  text: string;
  line: string;
  /** At the right end: a number, an amount, a count. */
  end: string;
  /** A file, which is no page of the back office. */
  file?: true;
};

/** The results of one kind; `all` links to the list when there are more. */
export type FoundGroup = { name: string; rows: Found[]; all: string | null };

/** The results of a search, and the words to mark in them. */
export type FindAnswer = { typed: string; words: readonly string[]; groups: FoundGroup[] };

/** How many results of a kind are shown. */
export const mostShown = 6;
