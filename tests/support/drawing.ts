import type { DrawDocument } from '#app/documents/documents.ts';
import { drawHere } from '#app/documents/draw.ts';

/** Draws documents in the thread of the test. */
export const drawInTest: DrawDocument = async (document) => ({ ok: true, bytes: await drawHere(document) });
