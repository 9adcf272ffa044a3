import bricolage from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff?inline';
import bricolageExtended from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-700-normal.woff?inline';
import vietnamese from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-vietnamese-400-normal.woff?inline';
import vietnameseBold from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-vietnamese-700-normal.woff?inline';
import figtree from '@fontsource/figtree/files/figtree-latin-400-normal.woff?inline';
import figtreeBold from '@fontsource/figtree/files/figtree-latin-700-normal.woff?inline';
import figtreeExtended from '@fontsource/figtree/files/figtree-latin-ext-400-normal.woff?inline';
import figtreeExtendedBold from '@fontsource/figtree/files/figtree-latin-ext-700-normal.woff?inline';
import { Font } from '@react-pdf/renderer';
import { unpacked } from './woff.ts';

const register = (family: string, normal: string, bold: string) =>
  Font.register({
    family,
    fonts: [
      { src: unpacked(normal), fontWeight: 400 },
      { src: unpacked(bold), fontWeight: 700 },
    ],
  });

register('Figtree', figtree, figtreeBold);
register('Figtree Extended', figtreeExtended, figtreeExtendedBold);
register('Bricolage', bricolage, bricolage);
register('Bricolage Extended', bricolageExtended, bricolageExtended);
register('Vietnamese', vietnamese, vietnameseBold);
// Words stay whole: names and titles are never hyphenated (docs/brand.md).
Font.registerHyphenationCallback((word) => [word]);

/** Families for text. Figtree has no Vietnamese letters, so Bricolage Grotesque's are used for them. */
export const textFont = ['Figtree', 'Figtree Extended', 'Vietnamese'];

/** Families for headings and numbers that matter, always bold. */
export const displayFont = ['Bricolage', 'Bricolage Extended', 'Vietnamese'];
