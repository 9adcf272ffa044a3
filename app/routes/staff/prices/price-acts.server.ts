import { z } from 'zod';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { theBrief, theLedger } from '#app/features/catalogue/price-proofs.ts';
import {
  changePrice,
  changesOfPrice,
  confirmOriginals,
  notChangedInWords,
  planPrice,
  takeConfirmationBack,
  withdrawPlanned,
} from '#app/features/money/price-changes.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { optionalLine, requiredLine } from '#app/http/form-texts.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { instantOf } from '#app/lib/wall-clock.ts';

/** An amount such as 2199 or 2,199.50, as cents. */
const amount = (fault: string) =>
  z
    .string()
    .trim()
    .transform((text) => text.replace(/^AU\$|^\$|,/g, ''))
    .pipe(z.string().regex(/^\d{1,6}(\.\d{1,2})?$/, fault))
    .transform((text) => Math.round(Number(text) * 100))
    .pipe(z.number().min(100, 'The least is AU$1.').max(10_000_000, 'The most is AU$100,000.'));
const day = z
  .union([
    z.literal(''),
    z.iso
      .date('Enter a date, or leave it empty.')
      .refine((text) => text.startsWith('20'), 'Enter a date of this century.'),
  ])
  .transform((text) => (text === '' ? null : text));
const proof = requiredLine('what shows that it was charged', 200).refine(
  (text) => ![theBrief, theLedger].includes(text.toLowerCase()),
  'Name the record that shows it, such as invoices or a price list with its day.',
);

const priceForm = z.discriminatedUnion('act', [
  z.object({
    ...common,
    act: z.literal('price'),
    price: amount('Enter an amount such as 2199 or 2199.50.'),
    again: z.literal('').or(amount('Enter the price again.')).default(''),
    original: z
      .union([z.literal('').transform(() => null), amount('Enter an amount such as 2199, or leave it empty.')])
      .default(null),
    from: day,
    note: optionalLine(200).transform((text) => (text === '' ? null : text)),
  }),
  z.object({
    ...common,
    act: z.literal('withdraw'),
    plan: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  }),
  z.object({ ...common, act: z.literal('confirm'), proof }),
  z.object({ ...common, act: z.literal('unconfirm') }),
]);
type PriceForm = z.output<typeof priceForm>;

/** Details of an entry are references only; what proves a price is a value of the price (P69). */
const proved = (before: string, after: string) => [{ field: 'proof', before, after }];

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

/** Takes a form of a course's prices: a change now or planned, a planned one withdrawn, an original price confirmed. */
export function takePriceAct(
  academy: Academy,
  { form, slug, actor }: { form: FormData | null; slug: string; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: priceForm,
    subject: `course:${slug}`,
    actor,
    words: { where: '"Periods"' },
    present: async (trx) => `course:${(await findCourse(trx, slug))?.slug ?? slug}`,
    async act(trx, data, moment) {
      const course = await findCourse(trx, slug);
      if (!course) return { ok: false, reason: 'missing' };
      const by = { ...moment, actor };
      switch (data.act) {
        case 'price':
          return setPrice(data);
        case 'withdraw': {
          const plan = { id: data.plan, courseId: course.id };
          if (!(await withdrawPlanned(trx, plan, by))) return refused('It was made or withdrawn already.');
          return { ok: true, did: { action: 'withdraw-price', details: { planned: data.plan } } };
        }
        case 'confirm': {
          const [done] = await confirmOriginals(trx, { courseId: course.id, proof: data.proof }, by);
          if (!done) return refused('There is no original price to confirm.');
          return { ok: true, did: { action: 'confirm-price', changes: proved(theBrief, data.proof) } };
        }
        case 'unconfirm': {
          const proof = await takeConfirmationBack(trx, course.id, by);
          if (proof === null) return refused('It is not confirmed.');
          return { ok: true, did: { action: 'unconfirm-price', changes: proved(proof, theBrief) } };
        }
      }
      async function setPrice({
        price,
        again,
        original,
        from,
        note,
      }: PriceForm & { act: 'price' }): Promise<ActDone | Refused> {
        if (original !== null && original <= price) {
          const message = 'Enter more than the price, or leave it empty.';
          return { ok: false, reason: 'refused', errors: { original: message } };
        }
        const present = course?.priceCents ?? 0;
        if (again !== price && Math.abs(price - present) * 2 > present) {
          const message = `That changes ${formatCents(present)} to ${formatCents(price)}. If you mean it, type the price again.`;
          return { ok: false, reason: 'refused', errors: { again: message } };
        }
        const wish = { courseId: course?.id ?? 0, amountCents: price, originalCents: original, note };
        if (from !== null && from > moment.today) {
          const planned = await planPrice(trx, { ...wish, from: instantOf(from, '00:00', academyZone) }, by);
          if (!planned.ok)
            return { ok: false, reason: 'refused', errors: { from: 'A change is planned for this day.' } };
          return { ok: true, did: { action: 'plan-price', details: { from, cents: price } } };
        }
        if (from !== null && from < moment.today) {
          return {
            ok: false,
            reason: 'refused',
            errors: { from: 'A price cannot be changed for days that are over.' },
          };
        }
        const done = await changePrice(trx, wish, by);
        if (!done.ok) {
          const fault = notChangedInWords(done);
          return done.reason === 'not-charged'
            ? { ok: false, reason: 'refused', errors: { original: fault } }
            : refused(fault);
        }
        return { ok: true, did: { action: 'change-price', changes: changesOfPrice(done.before, wish) } };
      }
    },
  });
}

/** The owner confirms every original price of the brief at once. */
export function takeAllConfirmed(
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: z.object({ ...common, act: z.literal('confirm-all'), proof }),
    subject: 'prices:all',
    actor,
    async act(trx, { proof: text }, { now }) {
      const done = await confirmOriginals(trx, { courseId: null, proof: text }, { actor, now });
      if (done.length === 0) return refused('There is no original price to confirm.');
      const details = { courses: done.length };
      return { ok: true, did: { action: 'confirm-prices', details, changes: proved(theBrief, text) } };
    },
  });
}
