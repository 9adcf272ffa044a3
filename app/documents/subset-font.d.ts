/** The types of the package that we use; it comes without any. */
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
