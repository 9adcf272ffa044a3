/**
 * The shape of every file under `content/`. These schemas are the one place that knows it: `content -- check`
 * validates with them, and they are published as JSON Schema in `content/schemas` so that editors complete and check.
 * Prices are Australian dollars with GST; dates are ISO days on the files' own calendar, `asOf` (P13).
 */
import { z } from 'zod';
import { deliveries } from '#app/lib/delivery.ts';
import type { CourseContent } from './course-schema.ts';
import type { ModuleContent } from './module-schema.ts';
import { aliases, countWords, day, examCode, icon, line, paragraph, slug, time } from './schema-parts.ts';
import { claimsSchema, faqSchema, pagesSchema, partnersSchema, resourcesSchema, siteSchema } from './site-schemas.ts';

const categoriesSchema = z.array(
  z.strictObject({
    slug,
    name: line(40),
    icon,
    filter: z
      .boolean()
      .optional()
      .describe(
        'True for the options of the specification’s filter, in its order; the rest are "More categories" (P9).',
      ),
  }),
);

const tracksSchema = z.array(z.strictObject({ slug, name: line(40), icon, description: line(140) }));

const instructorsSchema = z.array(
  z.strictObject({
    slug,
    name: line(60),
    expertise: line(80),
    experience: line(80).describe('For example: 15+ years experience in blue teams'),
    biography: paragraph,
  }),
);

const certificationsSchema = z.array(
  z.strictObject({
    slug,
    title: line(60),
    description: line(240),
    certifications: z.array(
      z.strictObject({
        slug,
        name: line(60),
        provider: line(40),
        course: slug.describe('The course that prepares for it; price, hours and level are that course’s (P1).'),
        passRate: z.int().min(0).max(100).describe('Percent.'),
        passRateSource: line(120).optional().describe('Who gives the pass rate, and over what period (P6).'),
        jobRoles: z.array(line(40)).min(2).max(5),
        description: line(300),
        overview: paragraph.describe('60 to 140 words: what it proves, who asks for it, how one earns and keeps it.'),
        exam: z
          .array(z.strictObject({ label: line(30), value: line(160) }))
          .min(4)
          .max(8)
          .describe('Facts of the outside exam: code, format, length, pass mark, where, renewal.'),
        domains: z.array(line(120)).min(3).max(10).describe('Of the exam, with weights where the body publishes them.'),
        suits: z.array(line(160)).min(2).max(4).describe('Who it suits.'),
      }),
    ),
  }),
);

const courseDatesSchema = z.array(
  z.strictObject({
    slug,
    aliases: aliases.optional(),
    course: slug.describe('Its price and level are the course date’s (P1).'),
    startDate: day,
    endDate: day,
    startTime: time.describe('Wall-clock time in the zone (P14).'),
    endTime: time,
    breakMinutes: z
      .int()
      .min(1)
      .max(180)
      .optional()
      .describe('Breaks a day, in minutes, lunch included; the rest is taught live. None when left out.'),
    zone: z.enum(['Australia/Brisbane', 'Australia/Sydney', 'Australia/Melbourne']),
    delivery: z.enum(deliveries).describe('How it is taught; `both` lets each attendee choose.'),
    venue: line(40).optional().describe('The city of the room; none when it is online only.'),
    room: line(100).optional().describe('Where in the building, such as `Level 4, Room 4.2`; staff may set it later.'),
    street: line(200).optional().describe('Street and number; staff may set it later.'),
    joiningLink: z
      .url({ protocol: /^https$/, error: 'must be an https address' })
      .max(500)
      .optional()
      .describe('Of the live class, for those in it only. Better set by staff: files are read by many.'),
    instructor: slug,
    capacity: z.int().min(1).max(500).describe('Seats on offer.'),
    minimum: z.int().min(1).max(100).describe('From how many people on it is held (P39).'),
    decidedBy: day
      .optional()
      .describe(
        'The day by which it is decided whether it is held, 14 days before the first or earlier; none when it is held anyway (P39).',
      ),
    enrolmentEnds: day.describe('The last day of enrolment (P39).'),
  }),
);

const heroSlidesSchema = z.array(
  z.strictObject({
    course: slug.describe('The slide shows its instructor (P1).'),
    title: line(60),
    subtitle: line(80),
    description: line(240),
    buttonText: z.enum(['Enroll Now', 'Know More']),
    icon,
    emoji: z.string().min(1).max(8).describe('The label of the icon has it.'),
    badge: line(60),
  }),
);

const combosSchema = z.array(
  z.strictObject({
    slug,
    aliases: aliases.optional(),
    title: line(60),
    description: line(240),
    courses: z.array(slug).min(2).max(3),
    discountPercent: z
      .int()
      .min(1)
      .max(30)
      .describe('Off the sum of the courses’ prices while the promotion runs (P17).'),
  }),
);

const questLinesSchema = z.array(
  z.strictObject({
    slug,
    title: line(40).describe('The role it leads towards.'),
    icon,
    description: line(160).min(60),
    role: paragraph
      .refine((text) => countWords(text) >= 40 && countWords(text) <= 110, 'must have 40 to 110 words')
      .describe('What people in this role do, in 40 to 110 words.'),
    steps: z
      .array(z.strictObject({ course: slug, reason: line(200).describe('What this step adds for the role.') }))
      .min(3)
      .max(6)
      .describe('In order; hours and price are summed by the program (P1).'),
  }),
);

const examsSchema = z.array(
  z
    .strictObject({
      code: examCode.describe('The body’s code for the exam; where it has none, the short name of the credential.'),
      body: line(60),
      title: line(120),
      status: z.enum(['current', 'announced', 'retiring', 'retired']),
      on: day
        .optional()
        .describe('The day it opens, or the last it can be sat; a day outside of the content’s calendar, never moved.'),
      replacedBy: examCode.optional(),
      accreditedTraining: z
        .boolean()
        .optional()
        .describe(
          'True when the body takes only people trained by those it has accredited: the exam guarantee does not apply then.',
        ),
      checked: day.optional().describe('The day a source last confirmed the status; absent when none could be found.'),
    })
    .refine((exam) => exam.status !== 'current' || exam.on === undefined, {
      path: ['on'],
      message: 'has no meaning for a current exam',
    }),
);

const holidaysSchema = z.array(
  z.strictObject({
    slug,
    name: line(60),
    states: z
      .array(z.enum(['QLD', 'NSW', 'VIC']))
      .min(1)
      .describe('Where it is a public holiday, all day.'),
    rule: line(200).describe('How its days are found, and what is left out.'),
    source: line(200).describe('The Act or order that makes it a holiday.'),
    days: z.array(day).min(1).describe('Days of the real calendar, never moved.'),
  }),
);

const synonymsSchema = z.array(
  z.strictObject({
    typed: line(40)
      .refine((text) => text === text.toLowerCase(), 'must be in lower case')
      .describe('What people type.'),
    means: z.array(line(60)).min(1).max(4).describe('What the catalogue calls it; a search for it finds courses.'),
  }),
);

const promotionSchema = z.strictObject({
  subject: line(60).describe('What the discount is on; the banner says "up to 30% off on …".'),
  lasts: z
    .strictObject({ days: z.int().min(0), hours: z.int().min(0), minutes: z.int().min(0), seconds: z.int().min(0) })
    .describe('From the filling of the database on (P16).'),
});

/** The files of one list or one record each; courses have a file apiece in `courses/`. */
export const contentFiles = {
  site: { file: 'site.yaml', schema: siteSchema },
  categories: { file: 'categories.yaml', schema: categoriesSchema },
  tracks: { file: 'tracks.yaml', schema: tracksSchema },
  instructors: { file: 'instructors.yaml', schema: instructorsSchema },
  certifications: { file: 'certifications.yaml', schema: certificationsSchema },
  courseDates: { file: 'course-dates.yaml', schema: courseDatesSchema },
  heroSlides: { file: 'hero-slides.yaml', schema: heroSlidesSchema },
  partners: { file: 'partners.yaml', schema: partnersSchema },
  combos: { file: 'combos.yaml', schema: combosSchema },
  questLines: { file: 'quest-lines.yaml', schema: questLinesSchema },
  exams: { file: 'exams.yaml', schema: examsSchema },
  promotion: { file: 'promotion.yaml', schema: promotionSchema },
  claims: { file: 'claims.yaml', schema: claimsSchema },
  pages: { file: 'pages.yaml', schema: pagesSchema },
  faq: { file: 'faq.yaml', schema: faqSchema },
  resources: { file: 'resources.yaml', schema: resourcesSchema },
  holidays: { file: 'holidays.yaml', schema: holidaysSchema },
  synonyms: { file: 'synonyms.yaml', schema: synonymsSchema },
} as const;

export type ContentFileName = keyof typeof contentFiles;
export type Content = { [Name in ContentFileName]: z.output<(typeof contentFiles)[Name]['schema']> } & {
  courses: CourseContent[];
  modules: ModuleContent[];
};

/** A fault that only the whole content shows, at a path inside one file. */
export type CrossFault = { file: { name: ContentFileName } | { course: number }; path: PropertyKey[]; message: string };

/** Content with files that could not be read: it lacks their lists, and has only the slug of their courses. */
export type ReadableContent = Partial<Omit<Content, 'courses'>> & Pick<Content, 'courses'>;
