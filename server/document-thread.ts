/** Draws documents in a thread of its own: entry of that thread in the built program. */
import { parentPort } from 'node:worker_threads';
import type { DocumentFacts } from '#app/documents/documents.ts';
import { drawHere } from '#app/documents/draw.ts';
import type { ThreadAnswer } from '#app/lib/thread-queue.ts';

parentPort?.on('message', async (document: DocumentFacts) => {
  try {
    const result = await drawHere(document);
    const answer: ThreadAnswer<typeof result> = { done: true, result };
    parentPort?.postMessage(answer, [result.buffer]);
  } catch (error) {
    parentPort?.postMessage({ done: false, error } satisfies ThreadAnswer<never>);
  }
});
