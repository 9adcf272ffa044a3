import type { StructureElement } from 'pdfkit';
import type { Glyph } from './shaping.ts';
import type { Bookmark, TaggedPdf } from './tagged-pdf.ts';

/**
 * The structure types of a tagged PDF, for screen readers (ISO 32000-1, 14.8.4). A `Text` without one is a paragraph.
 */
type Tag = 'H1' | 'H2' | 'H3' | 'Table' | 'TR' | 'TH' | 'TD' | 'L' | 'LI' | 'Lbl' | 'LBody' | 'Artifact';

/** Gives a `View` or `Text` its structure type when spread into it. Screen readers leave an `Artifact` out. */
export const tag = (name: Tag) => ({ 'data-tag': name, 'data-part': {} });

/** The same for the heading of a table's column or row. */
export const headingOf = (scope: 'Column' | 'Row') => ({ ...tag('TH'), 'data-scope': scope });

/** Spread into a heading: its text in the list of bookmarks. */
export const bookmark = (title: string) => ({ 'data-bookmark': title });

type Run = {
  attributes: { bidiLevel?: number; link?: string };
  glyphs?: readonly Glyph[];
  positions?: object;
};

/** The properties of the layout's nodes that this reads. */
export type LaidOut = {
  type: string;
  props?: object & {
    fixed?: boolean;
    'data-tag'?: string;
    /** One object for each part; the layout copies the properties of a part that it splits, but not this. */
    'data-part'?: object;
    'data-scope'?: 'Column' | 'Row';
    'data-bookmark'?: string;
  };
  box?: { top?: number; left?: number; width?: number; height?: number };
  lines?: readonly { runs: readonly Run[] }[];
  children?: readonly LaidOut[];
};

/**
 * The tree of a laid out document, with the pieces of text of its elements entered in the PDF, and its bookmarks. An
 * element that continues on a further page stays one; parts repeated there belong to it once.
 */
export function structureOf(pdf: TaggedPdf, document: LaidOut): { root: StructureElement; bookmarks: Bookmark[] } {
  const root = pdf.struct('Document');
  const elements = new Map<object, StructureElement>();
  const bookmarks: Bookmark[] = [];

  const elementOf = (node: LaidOut, parent: StructureElement, name: string): StructureElement => {
    const known = elements.get(identityOf(node));
    if (known) return known;
    const element = pdf.struct(name, { scope: node.props?.['data-scope'] });
    parent.add(element);
    elements.set(identityOf(node), element);
    return element;
  };

  const walk = (node: LaidOut, parent: StructureElement, page: number, above: number): void => {
    const { props = {}, lines, children = [] } = node;
    const name = props['data-tag'];
    const top = above + (node.box?.top ?? 0);
    if (name === 'Artifact' || (props.fixed && elements.has(identityOf(node)))) return;
    const title = props['data-bookmark'];
    if (title && !bookmarks.some((known) => known.title === title)) bookmarks.push({ title, page, top });
    if (node.type === 'TEXT') {
      const element = elementOf(node, parent, name ?? 'P');
      for (const line of lines ?? []) enter(pdf, element, line.runs);
      return;
    }
    const element = name ? elementOf(node, parent, name) : parent;
    for (const child of children) walk(child, element, page, top);
  };

  document.children?.forEach((page, number) => {
    for (const child of page.children ?? []) walk(child, root, number, 0);
  });
  return { root, bookmarks };
}

/** The same for all pieces of what was split over pages. */
const identityOf = ({ props = {}, children }: LaidOut): object => props['data-part'] ?? children ?? props;

/** Enters the pieces of a line. Only lines of plain letters have links. */
function enter(pdf: TaggedPdf, element: StructureElement, runs: readonly Run[]): void {
  const text = lineText(runs);
  const line = text === undefined ? undefined : { text };
  for (const run of runs) {
    const link = run.attributes.link !== undefined;
    if (run.positions) pdf.pieces.set(run.positions, { element, line, words: ownWords(run), link });
  }
}

const levelOf = (run: Run) => run.attributes.bidiLevel ?? 0;

const textOf = (run: Run): string => {
  const glyphs = levelOf(run) % 2 === 1 ? run.glyphs?.toReversed() : run.glyphs;
  return String.fromCodePoint(...(glyphs?.flatMap((glyph) => glyph.codePoints) ?? [])).normalize('NFC');
};

/** Whether each glyph is one letter. */
const oneByOne = ({ glyphs = [] }: Run): boolean =>
  glyphs.every(({ parts, codePoints }) => parts === undefined || (parts.length === 1 && codePoints.length === 1));

// Not from right to left: programs that copy text turn it round, as they do with letters.
const ownWords = (run: Run): string | undefined => (oneByOne(run) || levelOf(run) % 2 === 1 ? undefined : textOf(run));

function lineText(runs: readonly Run[]): string | undefined {
  const plain = runs.every((run) => levelOf(run) === 0 && oneByOne(run));
  return plain ? undefined : inReadingOrder(runs).map(textOf).join('');
}

/**
 * Undoes the reordering of right-to-left runs that the layout did for drawing (Unicode Bidirectional Algorithm, L2),
 * from the lowest level up.
 */
function inReadingOrder(runs: readonly Run[]): Run[] {
  const order = [...runs];
  const highest = Math.max(...runs.map(levelOf));
  for (let level = 1; level <= highest; level += 1) {
    let from = 0;
    while (from < order.length) {
      let to = from;
      while (to < order.length && levelOf(order[to] ?? { attributes: {} }) >= level) to += 1;
      order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to + 1;
    }
  }
  return order;
}
