/** Facts of the academy, its claims, and its texts. */
import { z } from 'zod';
import { isAbn } from '#app/lib/abn.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { day, httpsAddress, line, markdown, markdownOf, slug, time } from './schema-parts.ts';

export const pagesSchema = z.array(
  z.strictObject({
    slug,
    title: line(60),
    description: line(160).min(60),
    body: markdown.describe('Markdown; headings from ##.'),
  }),
);

export const faqSchema = z.array(
  z.strictObject({
    slug,
    title: line(60),
    questions: z.array(z.strictObject({ question: line(120), answer: markdownOf(60).describe('Markdown.') })).min(3),
  }),
);

export const resourcesSchema = z.array(
  z.strictObject({
    slug,
    title: line(80),
    kind: z.enum(['Study guide', 'Cheat sheet', 'Checklist']),
    description: line(160).min(60),
    minutes: z.int().min(2).max(60).describe('Reading time.'),
    course: slug.describe('The course that goes on from here.'),
    body: markdown.describe('Markdown; headings from ##.'),
  }),
);

const hidden = z.boolean().optional().describe('True: no page shows it (P106).');

export const partnersSchema = z.array(
  z.strictObject({
    name: line(40),
    proof: line(200)
      .optional()
      .describe('Agreement or letter by which it may be called authorised; before opening each needs one.'),
    hidden,
    meaning: line(300).optional().describe('What "authorised partner" means of this body, in a sentence for /claims.'),
  }),
);

/** The figures of the site's own records with which a claim can be compared when a page is rendered. */
export const comparisons = [
  'courses',
  'certifications',
  'instructors',
  'learners',
  'pass-rates',
  'ratings',
  'office-hours',
] as const;

export const claimsSchema = z.array(
  z.strictObject({
    id: slug,
    value: line(20),
    wording: line(120),
    source: line(120),
    asOf: z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, 'must be a year, month or day'),
    proof: line(200).optional().describe('Which record of the academy shows it; before opening each needs one.'),
    hidden,
    compare: z.enum(comparisons).optional().describe('Which count of the site’s own records is shown beside it.'),
    beside: z.array(slug).min(1).optional().describe('Ids of claims that give another figure for the same thing.'),
    ownRecords: line(200).optional().describe('What the site’s own records say otherwise that cannot be counted.'),
  }),
);

/** Settings of bookings (P20), in minutes. */
const bookingsSchema = z.strictObject({
  advisers: z.int().min(1).max(20).describe('How many bookings can run at once.'),
  pause: z.int().min(0).max(120).describe('Minutes an adviser has free after each booking.'),
  breaks: z
    .array(
      z
        .strictObject({ from: time, to: time })
        .refine(({ from, to }) => from < to, { path: ['to'], message: 'is not after from' }),
    )
    .describe('Times of every day (Brisbane) without bookings.'),
  lengths: z
    .strictObject({
      'career-counseling': z.int().min(5).max(240),
      'virtual-tour': z.int().min(5).max(240),
    })
    .describe('Minutes a booking of each kind lasts.'),
});

/** How long personal data is kept, by kind of record; /privacy states the same. The default is for an empty database. */
export const retentionSchema = z
  .strictObject({
    enquiryMonths: z.int().min(1).max(84).describe('Enquiries of every kind, after they were sent.'),
    bookingMonths: z.int().min(1).max(84).describe('Bookings, after they were made or last changed.'),
    conversationMonths: z.int().min(1).max(84).describe('Conversations, after something was last written.'),
    sentMailDays: z.int().min(1).max(730).describe('Copies of emails the site sent, and the files of mail.'),
    failedMailDays: z.int().min(2).max(730).describe('Emails that could not be delivered, for staff to send again.'),
    attendeeNeedsDays: z
      .int()
      .min(1)
      .max(365)
      .describe('What attendees needed and their guardians, after the last day of their last course.'),
  })
  .default({
    enquiryMonths: 24,
    bookingMonths: 12,
    conversationMonths: 24,
    sentMailDays: 30,
    failedMailDays: 90,
    attendeeNeedsDays: 30,
  });

/** The account to which invoices are paid. */
const bankSchema = z
  .strictObject({
    accountName: line(60),
    bsb: z.string().regex(/^\d{3}-\d{3}$/, 'must be a BSB such as 064-000'),
    accountNumber: z.string().regex(/^\d{5,9}$/, 'must have 5 to 9 digits'),
  })
  .describe('The account that tax invoices name (P29).');

const attendingIn = (where: string) =>
  z.strictObject({
    joining: line(300).describe(`How people join a course date ${where}.`),
    bring: z.array(line(200)).min(1).max(5).describe(`What a person who takes part ${where} brings.`),
  });

export const siteSchema = z.strictObject({
  asOf: day
    .optional()
    .describe(
      'The day the files are written as of: the dates in them move by whole weeks when they fill a database (P13). Left out, dates stay as they are.',
    ),
  name: line(60),
  legalName: line(80),
  abn: z.string().refine(isAbn, 'must be an ABN that passes its checksum (P30)'),
  bank: bankSchema,
  email: z.string().refine((text) => emailAddressOf(text) === text, 'must be an email address in ASCII'),
  phone: line(30),
  address: z.strictObject({ street: line(80), city: line(40), state: line(40), postcode: z.string().regex(/^\d{4}$/) }),
  copyrightYear: z.int(),
  retention: retentionSchema,
  social: z
    .strictObject({
      linkedin: httpsAddress.optional(),
      youtube: httpsAddress.optional(),
      facebook: httpsAddress.optional(),
      instagram: httpsAddress.optional(),
      x: httpsAddress.optional(),
    })
    .describe('One that is not set is not shown (P21).'),
  bookings: bookingsSchema,
  attending: z
    .strictObject({ online: attendingIn('online'), room: attendingIn('in the room') })
    .optional()
    .describe('On the pages of course dates and in their emails.'),
  hideUnprovedPrices: z
    .boolean()
    .optional()
    .describe('True: no page shows an original price whose only source is the brief (P106).'),
  settled: z
    .array(
      z.strictObject({ what: line(60), by: line(200).describe('What shows it: a record, who decided, or advice.') }),
    )
    .min(1)
    .optional()
    .describe('What the owner has settled of the list of `npm run opening`, by the names given there.'),
});
