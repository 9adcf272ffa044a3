import { buffer } from 'node:stream/consumers';
import layoutDocument, { type DocumentNode, type SafeDocumentNode } from '@react-pdf/layout';
import drawDocument from '@react-pdf/render';
import { Font, pdf } from '@react-pdf/renderer';
import { createElement, type ReactElement } from 'react';
import { lettersFor } from './other-letters.ts';
import { printable } from './printable.ts';
import { structureOf } from './structure.ts';
import { TaggedPdf } from './tagged-pdf.ts';
import { LettersContext } from './words.tsx';

// The types leave out the second argument.
const layOut: (document: DocumentNode, fonts: typeof Font) => Promise<SafeDocumentNode> = layoutDocument;

/**
 * The bytes of a document, tagged for screen readers. `content` is all that it shows; it is looked through for letters
 * that the brand's fonts lack. The same content gives the same bytes: the date in
 * the file is that of the document, never that of the clock.
 */
export async function pdfOf(content: unknown, document: ReactElement): Promise<Buffer> {
  const layout = await layoutOf(content, document);
  const { title, author, language, creator, producer, creationDate } = layout.props;
  // pdfkit would take the clock's.
  if (!creationDate) throw new Error('a document without a creationDate');
  const info = { Title: title, Author: author, Creator: creator, Producer: producer, CreationDate: creationDate };
  const file = new TaggedPdf({
    lang: language,
    info: Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined)),
  });
  file.tree = structureOf(file, layout);
  const bytes = buffer(file);
  // The types of the package confuse the class with its instances.
  drawDocument(file as unknown as Parameters<typeof drawDocument>[0], layout);
  return bytes;
}

/** The laid-out pages of a document. */
async function layoutOf(content: unknown, document: ReactElement): Promise<SafeDocumentNode> {
  const letters = await lettersFor(printable(JSON.stringify(content)));
  const { container, updateContainer } = pdf();
  updateContainer(createElement(LettersContext, { value: letters }, document));
  return layOut(container.document, Font);
}
