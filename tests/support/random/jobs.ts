import { expect } from 'vitest';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { refundSilent } from '#app/features/enrolments/session-changes.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { dayInWords, promisesAgree } from './documents.ts';
import { type Books, settleContract } from './stage.ts';

/** The jobs that change contracts, and those that write to buyers of money; the model does by the terms what they must do. */
export async function jobsRun(books: Books, moment: Moment): Promise<void> {
  const { db } = books;
  await refundSilent(db, moment);
  await silenceCounts(books);
  await refundSoldAgain(db, moment);
  await soldOutCounts(books);
  await promisesAgree(books, 'all');
  await queueReceipts(db, moment);
  await remindersOfMoney(books, moment);
}

/** Silence keeps a place in a session that takes place, and gives back all of one that does not (P40). */
async function silenceCounts(books: Books): Promise<void> {
  const { world } = books;
  for (const enrolment of world.enrolments) {
    const over = enrolment.places.filter(({ active, choice }) => active && choice !== null && choice.by < world.today);
    for (const place of over) if (place.choice?.why === 'moved') place.choice = null;
    const cancelled = over.filter(({ choice }) => choice !== null);
    if (cancelled.length === 0) continue;
    await settleContract(books, enrolment, world.cancel(enrolment, cancelled, 'full'));
    for (const place of cancelled) place.causedOn = world.today;
  }
}

/** What was kept comes back once a session has sold out for good (P40). */
async function soldOutCounts(books: Books): Promise<void> {
  for (const { enrolment, place } of books.world.soldOutSince()) {
    await settleContract(books, enrolment, books.world.soldOut(enrolment, place));
  }
}

/** Exactly the reminders that P39 asks for: who is asked, for which invoices, how much of each, and by when. */
async function remindersOfMoney({ db, world, promises }: Books, moment: Moment): Promise<void> {
  const read = () =>
    db
      .selectFrom('mails')
      .select(['id', 'about_id', 'recipient', 'body_text', 'attachments'])
      .where('kind', '=', 'payment-reminder')
      .execute();
  const before = new Set((await read()).map(({ id }) => id));
  await queuePaymentReminders(db, moment);
  const sent = (await read()).filter(({ id }) => !before.has(id));
  // They are delivered: one that waits is withdrawn when its sum changes, and comes again.
  await db
    .updateTable('mails')
    .set({ state: 'sent', settled_at: moment.now })
    .where('kind', '=', 'payment-reminder')
    .where('state', '=', 'queued')
    .execute();
  const expected = world.enrolments.flatMap((enrolment) => {
    const invoices = promises.remind(enrolment);
    return invoices ? [{ enrolment, invoices }] : [];
  });
  expect(
    sent.map(({ about_id, recipient }) => `${about_id} ${recipient}`).sort(),
    `reminders on ${world.today}`,
  ).toEqual(expected.map(({ enrolment }) => `${enrolment.id} ${enrolment.email}`).sort());
  for (const { enrolment, invoices } of expected) {
    const mail = sent.find(({ about_id }) => about_id === enrolment.id);
    expect(
      JSON.stringify(mail?.attachments)
        .match(/INV-\d+/g)
        ?.sort(),
    ).toEqual([...new Set(invoices.map(({ number }) => number))]);
    const text = mail?.body_text.replaceAll(/\s+/g, ' ') ?? '';
    for (const { number, asked, due } of invoices) {
      const by = due !== null && due < world.today ? 'was due on' : 'due by';
      expect(text).toContain(`${number}, ${formatMoney(asked)} incl. GST, ${by} ${dayInWords(due ?? world.today)}`);
    }
  }
}
