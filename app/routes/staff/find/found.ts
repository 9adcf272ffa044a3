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

/** What was found of one kind; `all` is the list that has the others, where there are more. */
export type FoundGroup = { name: string; rows: Found[]; all: string | null };

/** What a search found, and the words to mark in it. */
export type FindAnswer = { typed: string; words: readonly string[]; groups: FoundGroup[] };

/** At most so many of a kind are shown. */
export const mostShown = 6;
