import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueTaxInvoice } from '#app/features/money/invoices.server.ts';
import { type CoursePrice, priceOfCourse, pricesOfCombo, quoteOfPrices } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { openingDay } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { torture } from '#tests/support/torture.ts';
import { writeEnrolment } from '#tests/support/written-enrolments.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

/** The total of the invoice for an enrolment at these prices, as the page shows it. */
async function invoiced(prices: readonly CoursePrice[]): Promise<string> {
  const { db } = academy.database;
  const { byId } = academy.services.snapshot.current();
  const { lines, totalCents } = quoteOfPrices(prices, 1);
  const { id, places } = await writeEnrolment(
    db,
    lines.map(({ courseId, priceCents, discountCents }) => ({
      course: byId.get(courseId)?.card.slug ?? '',
      monday: '2025-10-13',
      price: priceCents,
      discount: discountCents,
    })),
  );
  const { facts } = await db
    .transaction()
    .execute((trx) =>
      issueTaxInvoice(trx, { enrolmentId: id, placeIds: places, today: '2025-09-08', at: openingDay.now }),
    );
  expect(facts.totalCents).toBe(totalCents);
  return formatMoney(facts.totalCents);
}

const textOf = (html: string) => html.replaceAll(/<script[\s\S]*?<\/script>/g, '').replaceAll(/<[^>]*>/g, ' ');
/** What a page shows of each item, by the slug that `link` finds in it. */
const piecesOf = (html: string, link: RegExp) =>
  new Map(
    html.split('<article').flatMap((piece) => {
      const slug = link.exec(piece)?.[1];
      return slug ? [[slug, textOf(piece)] as const] : [];
    }),
  );

/** Of one in `every` courses and combos. */
async function expectAsShown(every: number): Promise<void> {
  const some = (_: unknown, at: number) => at % every === 0;
  const { courses, bySlug, combos } = academy.services.snapshot.current();
  const pages = await (await academy.request(`/courses?page=${Math.ceil(courses.length / 24)}`)).text();
  const cards = piecesOf(pages, /href="\/course\/([a-z0-9-]+)"/);
  for (const { id, priceId, card } of courses.filter(some))
    expect([card.slug, cards.get(card.slug)]).toEqual([
      card.slug,
      expect.stringContaining(`${await invoiced(priceOfCourse({ ...card, id, priceId }))} `),
    ]);
  expect(combos.length).toBeGreaterThan(3);
  const offers = piecesOf(await (await academy.request('/combos')).text(), /\/enrol\?combo=([a-z0-9-]+)/);
  for (const combo of combos.filter(some)) {
    const known = combo.courses.flatMap((card) => {
      const course = bySlug.get(card.slug);
      return course ? { ...card, id: course.id, priceId: course.priceId } : [];
    });
    const total = await invoiced(pricesOfCombo({ ...combo, courses: known }, true));
    expect([combo.slug, offers.get(combo.slug)]).toEqual([combo.slug, expect.stringContaining(`${total} `)]);
  }
}

test('P1, P30: the invoice of a course and of a combo is what its page shows, to the cent', () => expectAsShown(12));

torture('P1, P30: the invoice of every course and of every combo is what its page shows, to the cent', () =>
  expectAsShown(1),
);
