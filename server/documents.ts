import { file } from 'virtual:document-thread';
import type { DocumentFacts, Drawn } from '#app/documents/documents.ts';
import type { Log } from '#app/http/log.server.ts';
import { createThreadQueue } from '#app/lib/thread-queue.ts';
import { startThread } from './thread.ts';

/** Draws all documents of this process, away from the thread that serves requests. */
export type Documents = {
  /** `asker` is the network of somebody who waits for it; null for mail, which lets visitors go first. */
  draw(document: DocumentFacts, asker: string | null): Promise<Drawn>;
  close(): Promise<void>;
};

type Bytes = Uint8Array<ArrayBuffer>;

/** Without load an invoice takes about 50 ms, the first one of a thread a second. */
const limitMs = 30_000;
const mostWaiting = 64;

export function openDocuments(log: Log): Documents {
  if (file === null) return { draw: drawInThisThread, close: async () => undefined };
  const from = new URL(file);
  const queue = createThreadQueue<DocumentFacts, Bytes>({
    start: (listeners) => startThread(from, 'documents', listeners),
    keyOf: (document) => JSON.stringify(document),
    limitMs,
    mostWaiting,
    onTrouble: (why) => log.error({ why }, 'the thread for documents ended'),
  });
  return {
    async draw(document, asker) {
      const drawn = await queue.run(document, asker);
      return drawn.ok ? { ok: true, bytes: drawn.result } : drawn;
    },
    close: () => queue.close(),
  };
}

/** For development, which has no built file. The code that draws is loaded only then, because it is large. */
async function drawInThisThread(document: DocumentFacts): Promise<Drawn> {
  const { drawHere } = await import('#app/documents/draw.ts');
  return { ok: true, bytes: await drawHere(document) };
}
