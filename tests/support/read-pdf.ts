import { inflateSync } from 'node:zlib';
import { getDocumentProxy } from 'unpdf';

/** A piece of text on a page: where it begins and ends, in points from the left and the lower edge. */
export type PdfText = { text: string; left: number; right: number; bottom: number };

/** An element of the tree that a screen reader goes by: its name and what is in it. */
export type PdfElement = { role: string; parts: PdfElement[] };

/** The text and pictures that a PDF shows. */
export type ReadPdf = {
  pages: { width: number; text: PdfText[]; links: string[]; tree: PdfElement }[];
  /** The words of elements whose letters are not drawn one by one from left to right. */
  spoken: string[];
  /** Names of the fonts in the file. */
  fonts: string[];
  bookmarks: string[];
  language: string | undefined;
  title: string | undefined;
  tagged: boolean;
};

type Tree = { role?: string; children?: Tree[] } | null;

export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const file = bytes.toString('latin1');
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const pages: ReadPdf['pages'] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const annotations: { url?: string }[] = await page.getAnnotations();
    pages.push({
      width: page.getViewport({ scale: 1 }).width,
      text: items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return [];
        const [, , , , left = 0, bottom = 0] = item.transform as number[];
        return [{ text: item.str, left, right: left + item.width, bottom }];
      }),
      links: annotations.flatMap(({ url }) => (url ? [url] : [])),
      tree: elementOf((await page.getStructTree()) as Tree),
    });
  }
  const { info } = (await pdf.getMetadata()) as { info: { Language?: string; Title?: string } };
  const outline: { title: string }[] | null = await pdf.getOutline();
  const marks: { Marked?: boolean } | null = await pdf.getMarkInfo();
  return {
    pages,
    spoken: [...file.matchAll(/\/ActualText \(((?:\\.|[^\\)])*)\)/gs)].map(([, text = '']) => decoded(text)),
    fonts: [...file.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name = '']) => name),
    bookmarks: (outline ?? []).map(({ title }) => title),
    language: info.Language,
    title: info.Title,
    tagged: marks?.Marked === true,
  };
}

const elementOf = (tree: Tree): PdfElement => ({
  role: tree?.role ?? 'Root',
  parts: (tree?.children ?? []).filter((child) => child?.role).map(elementOf),
});

/** Every element of a tree with the role. */
export const elementsOf = (tree: PdfElement, role: string): PdfElement[] => [
  ...(tree.role === role ? [tree] : []),
  ...tree.parts.flatMap((part) => elementsOf(part, role)),
];

/** A string of a PDF: UTF-16 with a byte order mark, brackets and backslashes escaped (ISO 32000-1, 7.9.2). */
function decoded(text: string): string {
  const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const bytes = text.replaceAll(/\\(.)/gs, (_, escaped: string) => controls[escaped] ?? escaped);
  if (!bytes.startsWith('\u00fe\u00ff')) return bytes;
  return Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le');
}

/** What draws the pages, as operators. */
export function drawingOf(bytes: Buffer): string[] {
  const streams = bytes.toString('latin1').matchAll(/\/FlateDecode\n>>\nstream\n(.*?)\nendstream/gs);
  return [...streams].flatMap(([, stream = '']) => {
    const drawn = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    return / cm\n/.test(drawn) ? [drawn] : [];
  });
}
