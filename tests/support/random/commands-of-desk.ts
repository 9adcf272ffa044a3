import { sql } from 'kysely';
import { expect } from 'vitest';
import { changeAttendee } from '#app/features/enrolments/change-attendee.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { attendee, orderOf } from '#tests/support/enrolments.ts';
import {
  choiceOf,
  drawToGive,
  drawWays,
  expectAnswer,
  momentOf,
  rememberBuyer,
  type Scene,
  transaction,
  untakeable,
} from './commands.ts';
import { learnWays, priceOf } from './commands-of-buyers.ts';
import { shareAgrees } from './commands-of-staff.ts';
import { rememberAddress } from './place-reminders.ts';
import type { Outcome } from './stage.ts';
import type { Enrolment } from './world.ts';

let people = 0;

/**
 * Staff enrol somebody with a discount on what is invoiced now (P83): the invoice charges the price, an adjustment note of
 * the same day takes the discount off. The limits of buyers do not hold.
 */
export async function placeWithDiscount(scene: Scene): Promise<Outcome> {
  const { db, world, draw } = scene;
  const isCombo = draw.chance(0.4);
  const ways = drawWays(scene, isCombo);
  const seats = 1 + draw.below(2);
  const invoiced = ways.filter(({ session, monday }) => session !== null || monday !== null);
  if (invoiced.length === 0) return 'nothing to act on';
  const cents = draw.of([1, 12_345, seats * priceOf(scene, invoiced, isCombo)]) ?? 1;
  people += 1;
  const domain = `called-${people}.example`;
  const buyer = { email: `called@${domain}`, domain, network: null };
  const order = await orderOf(
    db,
    ways.map((way) => choiceOf(scene, way)),
    {
      attendees: Array.from({ length: seats }, (_, at) => attendee({ name: `Caller${letters(10 * people + at)}` })),
      comboId: isCombo ? scene.comboId : null,
      buyer: { name: `Buyer${letters(people)}`, email: buyer.email, phone: null },
      shownCents: seats * priceOf(scene, ways, isCombo),
      actor: theProgram,
      discount: { cents, reason: 'A returning customer' },
    },
  );
  const result = await transaction(scene, (trx) => placeEnrolment(trx, order, momentOf(world)));
  expectAnswer(result, untakeable(scene, ways, seats));
  if (!result.ok) return 'refused';
  const { enrolmentId: id, reference, token } = result;
  const enrolment: Enrolment = {
    id,
    reference,
    email: buyer.email,
    token,
    combo: isCombo,
    places: [],
    paid: 0,
    refunded: 0,
  };
  rememberBuyer(enrolment, buyer);
  world.enrolments.push(enrolment);
  await learnWays(scene, enrolment, ways);
  const { rows } = await sql<{ number: string }>`
    select note.facts ->> 'number' as number from adjustment_notes note
      join tax_invoices invoice on invoice.id = tax_invoice_id where enrolment_id = ${id}`.execute(db);
  const dated = enrolment.places.filter(({ way }) => way !== 'next-date');
  await shareAgrees(db, dated, { cents, numbers: rows.map(({ number }) => number) });
  return 'done';
}

/** A place goes to another person of another name and address: once, and money, seats and dates stay as they are (P40). */
export async function handOver(scene: Scene): Promise<Outcome> {
  const { db, world } = scene;
  const found = drawToGive(scene);
  if (!found) return 'nothing to act on';
  const { enrolment, place } = found;
  const of = { enrolmentId: enrolment.id, attendeeId: place.attendee };
  people += 1;
  const email = `heir-${people}@elsewhere.example`;
  const given = { ...of, attendee: attendee({ name: `Heir${letters(people)}`, email }) };
  const change = () =>
    transaction(scene, (trx) => changeAttendee(trx, { ...given, actor: theProgram }, momentOf(world)));
  const handovers = async () =>
    (await db.selectFrom('attendee_handovers').select('id').where('attendee_id', '=', place.attendee).execute()).length;
  const { name } = await db
    .selectFrom('attendees')
    .select('name')
    .where('id', '=', place.attendee)
    .executeTakeFirstOrThrow();
  const before = await handovers();
  expect(await change()).toEqual({ ok: true, changed: true });
  // Nobody had a place that had no name.
  if (name !== null) expect(await handovers()).toBe(before + 1);
  expect(await change()).toEqual({ ok: true, changed: false });
  const links = await db
    .selectFrom('private_links')
    .select('attendee_id')
    .where('attendee_id', '=', place.attendee)
    .execute();
  expect(links).toEqual([]);
  rememberAddress(world, place.attendee, email);
  return 'done';
}

/** A name of its own of letters only. */
const letters = (number: number): string =>
  String.fromCharCode(97 + (number % 26)) + (number >= 26 ? letters(Math.floor(number / 26)) : '');
