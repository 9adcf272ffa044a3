import { Font, Text, type TextProps } from '@react-pdf/renderer';
import { createContext, useContext } from 'react';
import { charactersOf, type Letters } from './other-letters.ts';
import { brandHas, inNumbers, printable } from './printable.ts';

/** The letters of the document that the brand's fonts lack (`lettersFor`). */
export const LettersContext = createContext<Letters>(new Map());

/** A text that people typed, in any script. Used inside a `Text`. */
export function Words({ children }: { children: string }) {
  const letters = useContext(LettersContext);
  const text = printable(children);
  if (brandHas(text)) return text;
  return runsOf(text, letters).map(({ family, run }, at) =>
    family ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text never change
      <Text key={at} style={{ fontFamily: family }}>
        {run}
      </Text>
    ) : (
      run
    ),
  );
}

/** Lines that people typed, in a column of a width in points: no word is wider than the column. */
export function Typed({ width, style, children }: TypedProps) {
  const lines = printable(children).split('\n');
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other identity
    <Text key={at} style={style} hyphenationCallback={breaking(width, 10)}>
      <Words>{line}</Words>
    </Text>
  ));
}

type TypedProps = { width: number; style?: TextProps['style']; children: string };

type Run = { family: string | undefined; run: string };

/** A text in pieces of one font each; `undefined` is the brand's. A letter stays with its marks. */
export function runsOf(text: string, letters: Letters): Run[] {
  const runs: Run[] = [];
  for (const character of charactersOf(text)) {
    const own = brandHas(character);
    const family = own ? undefined : letters.get(character);
    const run = own || family ? character : inNumbers(character);
    const last = runs.at(-1);
    if (last && last.family === family) last.run += run;
    else runs.push({ family, run });
  }
  return runs;
}

/**
 * For a `Text` of a width and a size in points: lets a word that is wider than a line break between any two characters,
 * without a hyphen, which would look like one of the word's own. Chinese, Japanese and Korean break between characters
 * always.
 */
export function breaking(width: number, size: number): (word: string) => string[] {
  const widthOf = (character: string) => {
    const font = Font.getFont({ fontFamily: 'Figtree', fontWeight: 700 }).data;
    const codePoint = character.codePointAt(0) ?? 0;
    if (!font?.hasGlyphForCodePoint(codePoint)) return size * 1.2;
    return (font.glyphForCodePoint(codePoint).advanceWidth * size) / font.unitsPerEm;
  };
  return (word) => {
    if (brandHas(word)) {
      // No letter of the brand's is wider than its size.
      if (word.length * size <= width) return [word];
      const characters = Array.from(word);
      const wide = characters.reduce((sum, character) => sum + widthOf(character), 0) > width;
      return wide ? between(characters) : [word];
    }
    const characters = charactersOf(word);
    const breaks = ideographs.test(word) || characters.reduce((sum, character) => sum + widthOf(character), 0) > width;
    // The empty piece at either end keeps a break beside it from getting a hyphen.
    return ['', ...(breaks ? between(characters) : [word]), ''];
  };
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A place where a line may end is an empty piece to the layout: a space of no width. */
const between = (characters: string[]): string[] => characters.flatMap((character) => [character, '']).slice(0, -1);
