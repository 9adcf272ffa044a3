import { expect, test } from 'vitest';
import { askersKeptDays, askersNeeded, wordsKeptDays } from '#app/features/catalogue/visits/searches.server.ts';
import { rememberedMs } from '#app/features/course-dates/draft-holds.server.ts';
import { choiceDays, draftDays } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { networkKeptMs } from '#app/features/enrolments/limits.server.ts';
import { confirmDays } from '#app/features/enrolments/waiting/rules.ts';
import { uploadKeptMs } from '#app/features/money/statement-uploads.server.ts';
import { linkMinutes } from '#app/features/people/ask-to-sign-in.server.ts';
import { undoDays } from '#app/features/people/sign-in-asks.server.ts';
import { lasting } from '#app/features/people/sign-ins.server.ts';
import { formWindowMs } from '#app/http/form-limit.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { longestHours } from '#app/outbox/mail-counts.server.ts';
import { readAcademy } from '#tests/support/academy.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Each row of the table, what its cell says by hand, and the periods of the code that it is about. */
const rows: [record: string, words: RegExp, ...periods: [inCode: number, inWords: number][]][] = [
  ['Enquiries, emails to {{email}}, and requests', /^\{\{retention\.enquiryMonths\}\} months after you/],
  ['Enrolments that you began', /^Seven days after.*; one day if/, [draftDays, 7], [choiceDays, 1]],
  ['Quotes that were not accepted', /^\{\{retention\.enquiryMonths\}\} months after they ended$/],
  ['Entries of waiting lists', /^\{\{retention\.enquiryMonths\}\} months.*, seven days$/, [confirmDays, 7]],
  ['What attendees need', /^\{\{retention\.attendeeNeedsDays\}\} days after the last day/],
  ['Bookings', /^\{\{retention\.bookingMonths\}\} months/],
  ['Chats', /^\{\{retention\.conversationMonths\}\} months/],
  ['Copies of emails that we sent', /^\{\{retention\.sentMailDays\}\} days/],
  ['Emails that could not be delivered', /^\{\{retention\.failedMailDays\}\} days/],
  // Kept by people, for as long as the text asks of them; no program erases these.
  ['Emails between you and our staff', /^24 months after our last contact$/],
  ['Enrolments, invoices, adjustment notes', /^Seven years after the sale is complete$/],
  ['Notes, absences and first openings', /^As long as the enrolment$/],
  ['Other notes of our staff', /^As long as the record they are about$/],
  ['Consent to news', /^Until you withdraw it$/],
  ['Code for an address that does not want news', /^As long as we send news$/],
  [
    'Code for the network of a form',
    /^Ten minutes; a day when an enrolment was begun, an email asked for or a waiting place confirmed$/,
    [formWindowMs, 10 * minute],
    [dayMs, day],
  ],
  [
    'Code for a network that held seats',
    /^Two hours after .*; seven days with an enrolment$/,
    [rememberedMs, 2 * hour],
    [networkKeptMs, 7 * day],
  ],
  ['Code for an email address that we wrote to', /^A day$/, [longestHours, 24]],
  [
    'Code for the network behind a search',
    /^30 days$/,
    [askersKeptDays, 30],
    // Three networks.
    [askersNeeded, 3],
  ],
  ['Words of such a search', /^365 days$/, [wordsKeptDays, 365]],
  ['Bank statements', /^One day, or until they are recorded$/, [uploadKeptMs, day]],
  ['Email address typed in to log in', /^15 minutes$/, [linkMinutes, 15]],
  [
    'Logins',
    /^30 days after the last use, 180 days at most; 12 hours and seven days for staff$/,
    [lasting.player.idleMs, 30 * day],
    [lasting.player.longestMs, 180 * day],
    [lasting.staff.idleMs, 12 * hour],
    [lasting.staff.longestMs, 7 * day],
  ],
  ['Your account', /^Until it is deleted, seven days after you close it$/, [undoDays, 7]],
  ['Your earlier login settings', /^Seven days$/, [undoDays, 7]],
];

test('each row of the table of /privacy says the period that the program keeps', async () => {
  const { pages } = await readAcademy();
  const body = pages.find(({ slug }) => slug === 'privacy')?.body ?? '';
  const table = /\| Record \| Kept for \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(body)?.[1] ?? '';
  const told = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim()),
    );
  expect(told).toHaveLength(rows.length);
  for (const [record = '', keptFor = ''] of told) {
    const [, words, ...periods] = rows.find(([start]) => record.startsWith(start)) ?? [];
    expect(keptFor, record).toMatch(words ?? /a row that this test does not know/);
    for (const [inCode, inWords] of periods) expect(inCode, record).toBe(inWords);
  }
});
