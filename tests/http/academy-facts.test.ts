import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTerms, readTermsId } from '#app/features/catalogue/site/terms.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({
    edit({ site }) {
      site.legalName = 'Other Trading Pty Ltd';
      site.abn = '51 824 753 556';
      site.email = 'desk@other.example';
      site.phone = '07 5550 0100';
      site.address = { street: '1 Reef Road', city: 'Cairns', state: 'Queensland', postcode: '4870' };
      Object.assign(site.retention, { enquiryMonths: 18, bookingMonths: 6, sentMailDays: 45, attendeeNeedsDays: 10 });
    },
  });
});
afterAll(() => academy.close());

const read = async (path: string) => (await academy.request(path)).text();

test('terms, privacy and answers name the company and the periods of site.yaml alone', async () => {
  for (const path of ['/terms', '/privacy']) {
    const page = (await read(path)).replaceAll(/\s+/g, ' ');
    expect(page).toContain('Other Trading Pty Ltd, ABN 51 824 753 556, 1 Reef Road, Cairns, Queensland 4870');
    expect(page).toContain('desk@other.example');
    expect(page).toContain('07 5550 0100');
    expect(page).not.toMatch(/\{\{|Bowerbird Academy Pty Ltd|89 000 000 019|7010 0142|120 Edward/);
  }
  const privacy = await read('/privacy');
  for (const period of ['18 months after you sent', '6 months after they were made', '45 days', '10 days after']) {
    expect(privacy).toContain(period);
  }
  expect(await read('/faq')).toContain('18 months after you sent them');
  // The foot of every page, and of every mail.
  const foot = (await read('/courses')).split('<footer')[1]?.replaceAll(/<!-- -->|<\/?span[^>]*>/g, '');
  for (const part of [' Other Trading Pty Ltd', 'ABN 51 824 753 556']) expect(foot).toContain(part);
  expect(academy.services.academy.academy()).toMatchObject({
    company: 'Other Trading Pty Ltd, ABN\u00a051\u00a0824\u00a0753\u00a0556',
    address: '1 Reef Road, Cairns, Queensland 4870',
  });
});

test('P28: the text that buyers accept is kept with the facts, and again when they change', async () => {
  const { db } = academy.database;
  const before = (await readTermsId(db)) ?? expect.unreachable();
  const kept = await findTerms(db, before);
  expect(kept).toContain('Other Trading Pty Ltd, ABN 51 824 753 556');
  expect(kept).not.toContain('{{');
  await db.transaction().execute(async (trx) => {
    const site = sql`jsonb_set(body, '{legalName}', '"Third Pty Ltd"')`;
    await sql`update site_content set body = ${site} where name = 'site'`.execute(trx);
  });
  const after = (await readTermsId(db)) ?? expect.unreachable();
  expect(await findTerms(db, after)).toContain('Third Pty Ltd, ABN 51 824 753 556');
  expect(await findTerms(db, before)).toBe(kept);
});

test('a buyer reads on course page, terms and certificate that this is no nationally recognised training', async () => {
  const sentence = 'is not a registered training organisation (RTO)';
  expect(await read('/course/cissp')).toContain(sentence);
  expect(await read('/terms')).toContain('We are not a registered training organisation (RTO)');
  expect(await read('/terms')).toContain('not registered on CRICOS');
});
