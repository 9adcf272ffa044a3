/** What we use of the package, which has no types of its own. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    characters: string | undefined,
    options: {
      targetFormat: 'woff2' | 'truetype';
      /** Makes a variable font a fixed one. */
      variationAxes?: Record<string, number>;
      /** Instead of `characters`. */
      keepAllGlyphs?: boolean;
    },
  ): Promise<Buffer>;
}
