import { Blob, Buffer, ClusterLevel, Face, Font, shape } from 'harfbuzzjs';

/** A glyph for the PDF library: here the glyphs of one letter with its marks, or of letters that are joined. */
export type Glyph = {
  id: number;
  /** In units of the font. */
  advanceWidth: number;
  codePoints: number[];
  /** The drawn glyphs, from left to right, when there are others than itself. */
  parts?: readonly Part[];
};

/** A glyph and its position, from the beginning of the group it belongs to, in units of the font. */
type Part = { glyph: Glyph; x: number; y: number };

/** The part of fontkit that this needs; it reads fonts for the PDF library and comes without types. */
export type FontkitFont = {
  unitsPerEm: number;
  getGlyph(id: number): Glyph;
  layout(text: string): { glyphs: Glyph[]; positions: Position[] };
};
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number; advanceWidth: number };

/** Figtree's, so that the distance of lines is the same without other letters. */
const lines = { ascent: 0.95, descent: -0.25, lineGap: 0 };

/**
 * Has a font's letters joined, ordered and marked by HarfBuzz, as browsers do it: fontkit's own rules misplace marks of
 * Thai and Hebrew and fail on Punjabi. `bytes` are the same font as a TrueType file. `name` tells it from other slices of
 * its family: the PDF library takes fonts of one name for the same font.
 */
export function shapedFont(font: FontkitFont, bytes: Uint8Array, name: string): void {
  const shaper = new Font(new Face(new Blob(bytes)));
  Object.defineProperty(font, 'postscriptName', { value: name });
  for (const [metric, share] of Object.entries(lines)) {
    Object.defineProperty(font, metric, { value: share * font.unitsPerEm });
  }
  font.layout = (text) => {
    const codePoints = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
    const clusters = clustersOf(shaper, codePoints);
    // From right to left when the first letter comes last. The layout wants the order of reading and turns it itself.
    if ((clusters[0]?.from ?? 0) > (clusters.at(-1)?.from ?? 0)) clusters.reverse();
    const glyphs = clusters.map(({ from, shapes }, at) => {
      const letters = codePoints.slice(from, clusters[at + 1]?.from);
      return joined(font, letters, shapes);
    });
    const positions = clusters.map(({ shapes }) => {
      const xAdvance = shapes.reduce((sum, { xAdvance: width }) => sum + width, 0);
      return { xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: xAdvance };
    });
    return { glyphs, positions };
  };
}

type Shape = { id: number; xAdvance: number; xOffset: number; yOffset: number };

/** The shapes of a text from left to right, together what cannot be told apart by letters; `from` is the first of these. */
function clustersOf(shaper: Font, codePoints: number[]): { from: number; shapes: Shape[] }[] {
  const buffer = new Buffer();
  buffer.addCodePoints(codePoints);
  buffer.guessSegmentProperties();
  buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS);
  shape(shaper, buffer);
  const clusters: { from: number; shapes: Shape[] }[] = [];
  for (const { codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 } of buffer.getGlyphInfosAndPositions()) {
    const found = { id: codepoint, xAdvance, xOffset, yOffset };
    const last = clusters.at(-1);
    if (last?.from === cluster) last.shapes.push(found);
    else clusters.push({ from: cluster, shapes: [found] });
  }
  return clusters;
}

/** One glyph of several, so that the layout never parts them. */
function joined(font: FontkitFont, codePoints: number[], shapes: readonly Shape[]): Glyph {
  // Copied text gets the letters where the widest glyph is: marks beside it have no width.
  const widest = shapes.reduce((best, { xAdvance }, at) => (xAdvance > (shapes[best]?.xAdvance ?? 0) ? at : best), 0);
  let width = 0;
  const parts = shapes.map(({ id, xAdvance, xOffset, yOffset }, at) => {
    const x = width + xOffset;
    width += xAdvance;
    const { advanceWidth } = font.getGlyph(id);
    return { glyph: { id, advanceWidth, codePoints: at === widest ? codePoints : [] }, x, y: yOffset };
  });
  return { id: shapes[0]?.id ?? 0, advanceWidth: width, codePoints, parts };
}
