import { adjustmentNotePdf } from './adjustment-note.tsx';
import { certificateSheetPdf } from './certificate-sheet.tsx';
import { brochurePdf } from './course-brochure.tsx';
import type { DocumentFacts } from './documents.ts';
import { offerPdf } from './offer.tsx';
import { taxInvoicePdf } from './tax-invoice.tsx';

/** The bytes of a document as PDF, made in this thread. */
export async function drawHere(document: DocumentFacts): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await pdfFor(document));
}

function pdfFor(document: DocumentFacts): Promise<Buffer> {
  switch (document.kind) {
    case 'tax-invoice':
      return taxInvoicePdf(document.facts);
    case 'adjustment-note':
      return adjustmentNotePdf(document.facts);
    case 'offer':
      return offerPdf(document.facts);
    case 'certificate':
      return certificateSheetPdf(document.facts);
    case 'course-brochure':
      return brochurePdf(document.facts, document.art);
  }
}
