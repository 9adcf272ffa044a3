import type { Db } from '#app/db/client.server.ts';
import { openStripe, type Stripe } from '#app/features/money/card/stripe.server.ts';
import {
  databaseIdentity,
  inWords,
  type LastNumbers,
  lastNumbers,
  marksFolder,
  numberedKinds,
  numberOf,
  raiseMarks,
  readHighest,
  skipGivenNumbers,
} from '#app/features/money/document-numbers.server.ts';
import { readKnownSources } from '#app/features/money/payments.server.ts';
import { endAllSignIns } from '#app/features/people/sign-in-asks.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { holdMail } from '#app/outbox/held-mail.server.ts';

/** A larger step is a typing mistake: numbers can be raised, but never lowered again. */
const mostSkipped = 10_000;

type Settled =
  | { ok: false; message: string }
  /** `lines` say what was done; `numbersKnown`: whether the last numbers given out are known from outside the database. */
  | { ok: true; lines: string[]; numbersKnown: boolean };

/**
 * What follows a restore, whoever made it: mail is held, numbers of documents given out since the backup are skipped
 * (P30), and all sign-ins end, because the backup has those again that were ended. `folders` keep the numbers given
 * out, and `said` names those that a person found.
 */
export async function settleRestored(
  db: Db,
  { folders, said, at }: { folders: readonly string[]; said: LastNumbers; at: Date },
): Promise<Settled> {
  await holdMail(db);
  const identity = await databaseIdentity(db);
  const marksFolders = folders.map((folder) => marksFolder(folder, identity));
  const marks = await readHighest(marksFolders);
  const known = await lastNumbers(db);
  const given = { ...said };
  for (const kind of numberedKinds) given[kind] = Math.max(marks?.[kind] ?? 0, said[kind]);
  const lines = numberedKinds.map((kind) => {
    const kept = marks ? numberOf(kind, marks[kind]) : 'not kept here';
    return `${kind}: last in the database ${numberOf(kind, known[kind])}; last given out ${kept}`;
  });
  const tooFar = numberedKinds.find((kind) => given[kind] - known[kind] > mostSkipped);
  if (tooFar) {
    const message = `${numberOf(tooFar, given[tooFar])} is more than ${mostSkipped} numbers ahead. No number was changed.`;
    return { ok: false, message };
  }
  const { skipped, signIns } = await db.transaction().execute(async (trx) => ({
    skipped: await skipGivenNumbers(trx, given, at),
    signIns: await endAllSignIns(trx),
  }));
  for (const range of inWords(skipped)) lines.push(`Skipped: ${range}. Staff see it at /staff/payments.`);
  if (skipped.length === 0) lines.push('Nothing was skipped: the database is not behind.');
  lines.push(
    `Ended ${signIns === 1 ? '1 login' : `${signIns} logins`}, and all links and codes to log in by.`,
    'Mail is held, but for codes and links to log in: an owner sends it with the button on /staff.',
    'Somebody you deleted since, a role that was taken or a consent that was withdrawn is there again. "After a restore" in docs/operating.md lists what to end again.',
  );
  const now = await lastNumbers(db);
  for (const folder of marksFolders) await raiseMarks(folder, now);
  return { ok: true, lines, numbersKnown: marks !== null || numberedKinds.some((kind) => said[kind] > 0) };
}

/** Card payments since a moment that the restored database does not have, in words. */
export async function listNewerCardPayments(
  db: Db,
  settings: Parameters<typeof openStripe>[0] | null,
  since: Date,
): Promise<string[]> {
  if (!settings) return ['Card payment is not set up: no payment by card can be missing.'];
  const answer = await openStripe(settings).paymentsSince(since);
  if (!answer.ok) return [`Stripe gave no list of newer card payments (${answer.message}). Look at its dashboard.`];
  return inWordsOf(db, answer);
}

async function inWordsOf(
  db: Db,
  { payments, more }: Extract<Awaited<ReturnType<Stripe['paymentsSince']>>, { ok: true }>,
): Promise<string[]> {
  const intents = payments.map(({ paymentIntent }) => paymentIntent);
  const known = await readKnownSources(db, intents);
  const missing = payments.filter(({ paymentIntent }) => !known.includes(paymentIntent));
  if (missing.length === 0 && !more) return ['No card payment is missing.'];
  return [
    'Card payments that the database does not have. Let Stripe send them again (Developers, Events, Resend):',
    ...missing.map(
      ({ paymentIntent, amountCents, paidAt, description }) =>
        `  ${formatMoment(paidAt)}  ${formatMoney(amountCents)}  ${description}  ${paymentIntent}`,
    ),
    ...(more ? ['There are more than a hundred since then: Stripe’s dashboard has the older ones.'] : []),
  ];
}
