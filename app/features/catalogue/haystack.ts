/** Texts that are searched all at once, which takes a fraction of the time of searching each. */
export type Haystack = {
  /** Calls `found` with the place of each text that holds `needle`, which is not empty, in their order. */
  each(needle: string, found: (place: number) => void): void;
};

const between = '\n';

export function createHaystack(texts: readonly string[]): Haystack {
  const all = texts.join(between);
  // The start of each text, then the end of the last.
  const begins = new Uint32Array(texts.length + 1);
  for (const [place, text] of texts.entries()) begins[place + 1] = (begins[place] ?? 0) + text.length + between.length;
  return {
    each(needle, found) {
      let place = 0;
      const nextFrom = () => begins[place + 1] ?? all.length;
      for (let at = all.indexOf(needle); at >= 0 && place < texts.length; ) {
        while (nextFrom() <= at) place++;
        const isWithin = at + needle.length < nextFrom();
        if (isWithin) found(place);
        at = all.indexOf(needle, isWithin ? nextFrom() : at + 1);
      }
    },
  };
}
