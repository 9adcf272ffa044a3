import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Font } from '@react-pdf/renderer';
import { projectRoot } from '#app/env.server.ts';
import { brandHas } from './printable.ts';
import type { FontkitFont } from './shaping.ts';

/**
 * The fonts searched for letters that the brand's fonts lack, in this order: a Chinese name is set in simplified forms,
 * and in Taiwan's, Japan's or Korea's for characters that only those have.
 */
const packages = [
  ['noto-sans', /^(greek|cyrillic|vietnamese|latin-ext|devanagari)/],
  ['noto-sans-sc', /^\[/],
  ['noto-sans-tc', /^\[/],
  ['noto-sans-jp', /^\[/],
  ['noto-sans-kr', /^\[/],
  ['noto-sans-arabic', /^arabic/],
  ['noto-sans-hebrew', /^hebrew/],
  ['noto-sans-thai', /^thai/],
  ['noto-sans-gurmukhi', /^gurmukhi/],
  ['noto-sans-gujarati', /^gujarati/],
  ['noto-sans-bengali', /^bengali/],
  ['noto-sans-tamil', /^tamil/],
  ['noto-sans-telugu', /^telugu/],
  ['noto-sans-kannada', /^kannada/],
  ['noto-sans-malayalam', /^malayalam/],
  ['noto-sans-sinhala', /^sinhala/],
  ['noto-sans-khmer', /^khmer/],
  ['noto-sans-lao', /^lao/],
  ['noto-sans-myanmar', /^myanmar/],
  ['noto-sans-georgian', /^georgian/],
  ['noto-sans-armenian', /^armenian/],
  ['noto-sans-ethiopic', /^ethiopic/],
] as const;

/** The characters of a slice, as they are read together (`Intl.Segmenter`), to the family that has all of them. */
export type Letters = ReadonlyMap<string, string>;

/** A file of a package: each holds some of its characters. */
type Slice = { family: string; file: string; ranges: readonly (readonly [from: number, to: number])[] };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Without a picture of their own: they join letters, or choose between forms of one.
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/** Characters as they are read: a letter with its marks is one of them. */
export const charactersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/**
 * The families for what the brand's fonts cannot print of a text, loaded and ready to draw with. What no font has is
 * not in the map. Reads nothing when every letter is in the brand's fonts, as in most documents.
 */
export async function lettersFor(text: string): Promise<Letters> {
  const found = new Map<string, string>();
  if (brandHas(text)) return found;
  for (const character of new Set(charactersOf(text))) {
    if (brandHas(character)) continue;
    const family = await familyOf(character);
    if (family) found.set(character, family);
  }
  return found;
}

async function familyOf(character: string): Promise<string | undefined> {
  const wanted = Array.from(character)
    .filter((letter) => !invisible.test(letter))
    .map((letter) => letter.codePointAt(0) ?? 0);
  if (wanted.length === 0) return undefined;
  for (const slice of await slices()) {
    if (!wanted.some((letter) => slice.ranges.some(([from, to]) => letter >= from && letter <= to))) continue;
    const has = await loaded(slice);
    if (wanted.every(has)) return slice.family;
  }
  return undefined;
}

let allSlices: Promise<Slice[]> | undefined;

function slices(): Promise<Slice[]> {
  allSlices ??= Promise.all(packages.map(([name, wanted]) => slicesOf(name, wanted))).then((lists) => lists.flat());
  return allSlices;
}

const folderOf = (name: string) => path.join(projectRoot, 'node_modules/@fontsource-variable', name);

async function slicesOf(name: string, wanted: RegExp): Promise<Slice[]> {
  const table: Record<string, string> = JSON.parse(await readFile(path.join(folderOf(name), 'unicode.json'), 'utf8'));
  return Object.entries(table)
    .filter(([slice]) => wanted.test(slice))
    .map(([slice, ranges]) => {
      const family = `${name}-${slice.replaceAll(/[[\]]/g, '')}`;
      return {
        family,
        file: path.join(folderOf(name), 'files', `${family}-wght-normal.woff2`),
        ranges: ranges.split(',').map(rangeOf),
      };
    });
}

/** `U+4e00-4e0f` or `U+4e00`. */
function rangeOf(text: string): [from: number, to: number] {
  const [from = '', to = from] = text.replace('U+', '').split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

type Has = (codePoint: number) => boolean;

const loading = new Map<string, Promise<Has>>();

/** Registers a slice of a font once and returns its characters. Tries again if the slice could not be read. */
function loaded(slice: Slice): Promise<Has> {
  const known = loading.get(slice.family);
  if (known) return known;
  const has = register(slice);
  loading.set(slice.family, has);
  has.catch(() => loading.delete(slice.family));
  return has;
}

const weights = [400, 700];

async function register({ family, file }: Slice): Promise<Has> {
  // Loaded here and not with the program: few documents need them.
  const [{ default: subsetFont }, { shapedFont }, variable] = await Promise.all([
    import('subset-font'),
    import('./shaping.ts'),
    readFile(file),
  ]);
  const fixed = await Promise.all(
    weights.map((wght) =>
      subsetFont(variable, undefined, { targetFormat: 'truetype', variationAxes: { wght }, keepAllGlyphs: true }),
    ),
  );
  Font.register({
    family,
    fonts: fixed.map((font, at) => ({
      src: `data:font/ttf;base64,${font.toString('base64')}`,
      fontWeight: weights[at],
    })),
  });
  const read = fixed.map(async (font, at) => {
    const descriptor = { fontFamily: family, fontWeight: weights[at] };
    await Font.load(descriptor);
    const { data } = Font.getFont(descriptor);
    if (!data) throw new Error(`${family} was not read`);
    // fontkit has no types of its own.
    shapedFont(data as unknown as FontkitFont, font, `${family}-${weights[at]}`);
    return data;
  });
  const [normal] = await Promise.all(read);
  return (codePoint) => normal?.hasGlyphForCodePoint(codePoint) === true;
}
