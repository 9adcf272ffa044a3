/** The types of pdfkit that we use; it comes without any. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  type Subset = { includeGlyph: (id: number) => number };
  type Dictionary = { data: Record<string, unknown> };

  export class StructureElement {
    add(child: StructureElement | StructureContent): this;
    end(): void;
  }
  /** A piece of a page's content that belongs to a structure element. */
  export type StructureContent = { readonly refs: unknown };

  export type Options = {
    autoFirstPage: boolean;
    pdfVersion: '1.7';
    tagged: boolean;
    displayTitle: boolean;
    lang: string | undefined;
    info: Record<string, string | Date | undefined>;
  };

  export default class PDFDocument extends Readable {
    constructor(options: Options);
    page: { fonts: Record<string, unknown>; height: number; width: number; dictionary: Dictionary };
    outline: { addItem(title: string, options: { pageNumber: number; top: number; left: number }): unknown };
    _font: {
      id: string;
      font: { unitsPerEm: number };
      subset: Subset;
      scale: number;
      widths: number[];
      unicode: number[][];
      ref: () => Dictionary;
    };
    _fontSize: number;
    addContent(content: string): this;
    addPage(options?: unknown): this;
    save(): this;
    restore(): this;
    transform(a: number, b: number, c: number, d: number, e: number, f: number): this;
    link(x: number, y: number, width: number, height: number, url: string, options?: object): this;
    markContent(tag: 'Artifact'): this;
    markStructureContent(tag: 'Span', options: { actual: string | undefined }): StructureContent;
    endMarkedContent(): this;
    struct(type: string, options?: { scope?: 'Column' | 'Row' | undefined; actual?: string }): StructureElement;
    addStructure(element: StructureElement): this;
    end(): void;
  }
}
