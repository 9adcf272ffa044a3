import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { forgetFault, recordFault } from '#app/jobs/each-item.server.ts';
import type { Clock } from '#app/lib/clock.ts';

/** The bytes of a document, or why it could not be made at the moment. */
export type Attachable = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; why: string };

type Attaching = {
  db: Db;
  documentOf: (document: string) => Promise<Attachable>;
  clock: Clock;
  log: { error(fields: object, message: string): void };
};
type Attachment = { filename: string; content: Buffer; contentType: string };

/** The sentence for staff about documents that hold mails back. */
const documentsJob = 'attach documents to emails';
/** A busy document thread is no fault until this many attempts. */
const patientAttempts = 5;

/**
 * The documents of a mail, all of them or none, within so many milliseconds for all together. Staff see why it waits:
 * at once when a document is faulty, after some attempts when there was no time to draw it.
 */
export async function attach(
  { db, documentOf, clock, log }: Attaching,
  mail: { id: string; attachments: unknown },
  { number, withinMs }: { number: number; withinMs: number },
) {
  const files: Attachment[] = [];
  const { promise: late, resolve } = Promise.withResolvers<Attachable>();
  const timer = setTimeout(resolve, withinMs, { ok: false, why: 'too-long' });
  try {
    for (const { filename, document } of mail.attachments as { filename: string; document: string }[]) {
      const fault = { job: documentsJob, item: document, at: clock.now() };
      try {
        const made = await Promise.race([documentOf(document), late]);
        if (!made.ok) {
          if (number >= patientAttempts) await recordFault(db, { ...fault, error: made.why });
          return made;
        }
        if (number > 1) await forgetFault(db, documentsJob, document);
        files.push({ filename, content: Buffer.from(made.bytes), contentType: 'application/pdf' });
      } catch (error) {
        if (isConnectionFailure(error)) return { ok: false, why: 'the database did not answer' } as const;
        log.error({ mail: mail.id, err: error }, 'documents of a mail could not be made');
        await recordFault(db, { ...fault, error });
        return { ok: false, why: 'the page of jobs that failed says why' } as const;
      }
    }
    return { ok: true, files } as const;
  } finally {
    clearTimeout(timer);
  }
}
