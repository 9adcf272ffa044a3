import PDFDocument, { type Options, type StructureElement } from 'pdfkit';
import type { Glyph } from './shaping.ts';

/** A piece of a page's text as the layout made it: one call of `glyphs`. */
export type TextPiece = {
  /** The element whose content it is. */
  element: StructureElement;
  /** Its line, if its letters are not drawn one by one from left to right. Pieces of a line share the object. */
  line: { text: string; element?: StructureElement } | undefined;
  /** Its own words, if its glyphs do not say which letters they are. */
  words: string | undefined;
  link: boolean;
};

/** A heading in the viewer's list; `page` counts from 0, `top` is in points from the page's upper edge. */
export type Bookmark = { title: string; page: number; top: number };

type Position = { xAdvance: number };

// The operators that begin a path, and those that paint it or clip with it.
const begins = / (m|re)$/;
const ends = /(^| )(f\*?|S|s|B\*?|b\*?|n)$/;

/**
 * A PDF whose text belongs to a tree of headings, paragraphs, tables and links, and whose other drawings are marked as
 * decoration: what screen readers go by (ISO 32000-1, 14.7 and 14.8). `pieces` says where each piece of text belongs,
 * by the positions of its glyphs; text without a piece is decoration too.
 */
export class TaggedPdf extends PDFDocument {
  readonly pieces = new Map<unknown, TextPiece>();
  #inDecoration = false;
  #link: StructureElement | undefined;

  /** The elements added under its root when everything is drawn. */
  tree: { root: StructureElement; bookmarks: readonly Bookmark[] } | undefined;

  constructor(options: Pick<Options, 'lang' | 'info'>) {
    super({ ...options, autoFirstPage: false, pdfVersion: '1.7', tagged: true, displayTitle: true });
  }

  override addPage(options?: unknown): this {
    super.addPage(options);
    // The tab key goes from link to link in the order of the tree.
    this.page.dictionary.data.Tabs = 'S';
    return this;
  }

  /** Draws glyphs where the layout has moved to; @react-pdf/render calls it instead of drawing them itself. */
  glyphs(glyphs: readonly Glyph[], positions: readonly Position[]): void {
    const piece = this.pieces.get(positions);
    if (piece) this.#draw(glyphs, positions, piece);
    else this.#decoration(() => this.#draw(glyphs, positions));
  }

  /** Begins the content of an element. In the text object: outside of it, copied words would have no place. */
  #begin({ element, line, words, link }: TextPiece): void {
    const content = this.markStructureContent('Span', { actual: words });
    if (link && this.#link) element.add(this.#link.add(content));
    else if (line?.element) line.element.add(content);
    else if (line) {
      line.element = this.struct('Span', { actual: line.text }).add(content);
      element.add(line.element);
    } else element.add(content);
    this.#link = undefined;
  }

  /** Called before the glyphs of the link's text. */
  override link(x: number, y: number, width: number, height: number, url: string): this {
    this.#link = this.struct('Link');
    return super.link(x, y, width, height, url, { structParent: this.#link, Contents: new String(url) });
  }

  /** @react-pdf/render ends the file itself. */
  override end(): void {
    if (this.tree) {
      this.addStructure(this.tree.root);
      for (const { title, page, top } of this.tree.bookmarks) {
        this.outline.addItem(title, { pageNumber: page, top, left: this.page.width });
      }
    }
    super.end();
  }

  override addContent(content: string): this {
    if (content.endsWith(' Do')) return this.#decoration(() => super.addContent(content));
    // @react-pdf/render paints groups too, which have no path: it would show nothing, outside of everything.
    if (!this.#inDecoration && ends.test(content)) return this;
    if (!this.#inDecoration && begins.test(content)) {
      this.#inDecoration = true;
      this.markContent('Artifact');
    }
    super.addContent(content);
    if (this.#inDecoration && ends.test(content)) {
      this.#inDecoration = false;
      this.endMarkedContent();
    }
    return this;
  }

  #decoration(draw: () => void): this {
    this.markContent('Artifact');
    draw();
    return this.endMarkedContent();
  }

  #draw(glyphs: readonly Glyph[], positions: readonly Position[], piece?: TextPiece): void {
    const font = this._font;
    const size = this._fontSize;
    this.page.fonts[font.id] ??= font.ref();
    this.save();
    this.transform(1, 0, 0, -1, 0, this.page.height);
    this.addContent(`BT\n/${font.id} ${rounded(size)} Tf`);
    if (piece) this.#begin(piece);
    // The next drawn piece, and the position of the pen after the last; both in points.
    let line: string[] = [];
    let pen: { x: number; y: number } | undefined;
    const flush = () => {
      if (line.length > 0) this.addContent(`[${line.join('')}] TJ`);
      line = [];
    };
    let from = 0;
    const unit = size / font.font.unitsPerEm;
    glyphs.forEach((whole, at) => {
      for (const { glyph, x, y } of whole.parts ?? [{ glyph: whole, x: 0, y: 0 }]) {
        const place = { x: from + x * unit, y: y * unit };
        if (pen === undefined || Math.abs(pen.y - place.y) > tiny) {
          flush();
          this.addContent(`1 0 0 1 ${rounded(place.x)} ${rounded(this.page.height + place.y)} Tm`);
        } else if (Math.abs(pen.x - place.x) > tiny) {
          line.push(` ${rounded(((pen.x - place.x) * 1000) / size)} `);
        }
        line.push(`<${this.#encoded(glyph)}>`);
        pen = { x: place.x + glyph.advanceWidth * unit, y: place.y };
      }
      from += positions[at]?.xAdvance ?? 0;
    });
    flush();
    if (piece) this.endMarkedContent();
    this.addContent('ET');
    this.restore();
  }

  /** A glyph's number in the part of the font that the file gets, in hexadecimal. */
  #encoded(glyph: Glyph): string {
    const { subset, widths, unicode, scale } = this._font;
    const id = subset.includeGlyph(glyph.id);
    widths[id] ??= glyph.advanceWidth * scale;
    unicode[id] ??= glyph.codePoints;
    return id.toString(16).padStart(4, '0');
  }
}

const tiny = 1e-4;

const rounded = (number: number) => Math.round(number * 1e4) / 1e4;
