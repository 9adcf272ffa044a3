import type { Db } from '#app/db/client.server.ts';
import { type MailDelivery, startDelivery } from '#app/outbox/delivery.server.ts';
import { type MailTransport, smtpTransport } from '#app/outbox/transport.server.ts';
import { mailLinks } from './mail-links.ts';

/** A mail that says nothing in particular. */
export const sampleMail = {
  kind: 'sample',
  about: 'nothing',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text</p>',
} as const;

/** Delivers the mail of a database as the program does, until stopped. What is logged goes nowhere unless `parts` say so. */
export function deliverMail(db: Db, transport: MailTransport, parts: Partial<MailDelivery> = {}) {
  const ignore = () => undefined;
  return startDelivery({
    db,
    transport,
    links: mailLinks(),
    documentOf: async () => ({ ok: true, bytes: new TextEncoder().encode('%PDF') }),
    sender: () => ({ name: 'Academy', address: 'hello@academy.example' }),
    clock: { now: () => new Date(), aheadMs: 0 },
    log: { info: ignore, warn: ignore, error: ignore },
    ...parts,
  });
}

/** Hands mail to a server on a port of this computer, which has so long to answer. */
export const toServer = (port: number, answerMs = 5000) =>
  smtpTransport({ host: '127.0.0.1', port, secure: false, auth: undefined, answerMs });
