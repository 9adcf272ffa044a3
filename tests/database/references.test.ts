import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { bookTime } from '#app/features/inbox/bookings/commands.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const now = new Date('2025-09-08T09:00:00+10:00');
const settings: BookingSettings = {
  advisers: 1000,
  pause: 10,
  breaks: [],
  lengths: { 'career-counseling': 30, 'virtual-tour': 20 },
  holidays: new Set(),
};

test('P23: no reference is given out twice, even after its record was erased', async () => {
  const { db } = database;
  const given: string[] = [];
  let count = 0;
  const enquire = async (reference: () => string) => {
    const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '' };
    const enquiry = { ...person, kind: 'contact', message: `No. ${count++}`, consent: false, details: {} } as const;
    return recordEnquiry(db, enquiry, { idempotencyKey: crypto.randomUUID(), at: now, reference });
  };
  const book = async (reference: () => string) => {
    const wish = { kind: 'virtual-tour', start: new Date('2025-09-09T09:00:00+10:00'), note: '', about: null } as const;
    const person = { name: 'Ada', email: `ada-${count++}@example.com` };
    const moment = { settings, now };
    const booked = await db.transaction().execute((trx) => bookTime(trx, { ...wish, ...person }, moment, reference));
    if (!booked.ok) throw new Error(booked.reason);
    return booked;
  };
  const step = fc.record({
    kind: fc.constantFrom(enquire, book),
    /** Which of the references given out before are drawn first. */
    drawn: fc.array(fc.nat(), { maxLength: 4 }),
    erase: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      for (const { kind, drawn, erase } of steps) {
        const pool = given.length > 0 ? drawn.map((at) => given[at % given.length] ?? '') : [];
        const { reference } = await kind(() => pool.pop() ?? newReference());
        expect(given).not.toContain(reference);
        given.push(reference);
        if (erase && kind === enquire) await db.deleteFrom('enquiries').where('reference', '=', reference).execute();
      }
    }),
    { numRuns: 8 },
  );
  // Two at once that draw the same.
  const same = newReference();
  const drawOnce = () => {
    const draws = [same];
    return () => draws.pop() ?? newReference();
  };
  const both = await Promise.all([enquire(drawOnce()), book(drawOnce()), enquire(drawOnce())]);
  expect(new Set(both.map(({ reference }) => reference)).size).toBe(3);
  expect(both.filter(({ reference }) => reference === same)).toHaveLength(1);
});
