import { markBeginnings } from '#app/lib/beginnings.ts';

/** A text with the typed words underlined. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  let at = 0;
  return markBeginnings(text, words).map((piece) => {
    at += piece.text.length;
    if (!piece.hit) return piece.text;
    return (
      <mark key={at} className="bg-transparent text-inherit underline decoration-straw decoration-2 underline-offset-4">
        {piece.text}
      </mark>
    );
  });
}
