import { createContext } from 'react-router';
import type { CertificateSheetProps } from './certificate-sheet.tsx';
import type { BrochureProps } from './course-brochure.tsx';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from './invoice-facts.ts';
import type { OfferSheet } from './offer-facts.ts';

/** A document as what it shows: plain values, so that another thread can draw it. */
export type DocumentFacts =
  | { kind: 'tax-invoice'; facts: TaxInvoiceFacts }
  | { kind: 'adjustment-note'; facts: AdjustmentNoteFacts }
  | { kind: 'offer'; facts: OfferSheet }
  | { kind: 'certificate'; facts: CertificateSheetProps }
  | {
      kind: 'course-brochure';
      facts: BrochureProps;
      /** The drawing of the course, a whole SVG file, 16 by 9. */
      art: string;
    };

/** The bytes of a PDF, the same for the same facts; or why it could not be drawn at the moment. */
export type Drawn = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; why: string };

/** Draws documents; rejects when the facts cannot be drawn at all. */
export type DrawDocument = (document: DocumentFacts) => Promise<Drawn>;

/** For the visitor of this request, who waits for it. */
export const drawContext = createContext<DrawDocument>();

/** The answer when a document cannot be drawn at the moment. */
export function notDrawn(): Response {
  const text = 'We cannot make the document right now. Please try again in a minute.\n';
  return new Response(text, { status: 503, headers: { 'Retry-After': '30' } });
}
