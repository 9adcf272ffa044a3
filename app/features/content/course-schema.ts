import { z } from 'zod';
import { aliases, countWords, day, dollars, examCode, level, line, paragraph, slug } from './schema-parts.ts';

/** The long parts of a course. They are stored together in one column, so another one needs no change elsewhere to be kept. */
const details = {
  shortName: line(30).optional().describe('For lists of staff, such as CISSP; the title when left out.'),
  overview: paragraph
    .refine((text) => countWords(text) >= 80 && countWords(text) <= 160, 'must have 80 to 160 words')
    .describe('80 to 160 words.'),
  objectives: z.array(line(200)).min(5).max(8),
  curriculum: z
    .array(z.strictObject({ module: line(100), topics: z.array(line(160)).min(3).max(7) }))
    .min(4)
    .max(8),
  prerequisites: z.array(line(240)).min(1).max(6),
  credential: line(600).describe('What the academy issues, and what the outside exam is.'),
  completion: z
    .strictObject({
      attendance: z
        .int()
        .min(50)
        .max(100)
        .optional()
        .describe('Percent of the minutes taught that have to be attended on a date; 80 when left out.'),
      attendanceAlone: z
        .boolean()
        .optional()
        .describe(
          'The certificate asks for no work: no test, no project. Its text in `credential` asks for none then.',
        ),
    })
    .optional()
    .describe(
      'What completes the course (P61), besides the work that `credential` asks for. Guided study asks for every exercise instead of attendance.',
    ),
  facts: z
    .array(
      z.strictObject({
        text: line(200).describe('Words of this course, exactly as above.'),
        until: day.describe('The last day of the real calendar on which they hold, or by which somebody looks again.'),
      }),
    )
    .min(1)
    .optional()
    .describe('What the texts say that will not stay true: "as at", "expected from", "due from", days to come.'),
};

export type CourseDetails = z.output<z.ZodObject<typeof details>>;

/** The long parts of a course and nothing else. */
export const detailsOf = (course: CourseDetails): CourseDetails =>
  Object.fromEntries(Object.entries(course).filter(([field]) => field in details)) as CourseDetails;

const { shortName, credential, completion, facts, ...otherDetails } = details;

export const courseSchema = z
  .strictObject({
    slug: slug.describe('The address of the course: /course/<slug>. A renamed course keeps its old ones as aliases.'),
    aliases: aliases.optional(),
    title: line(80),
    shortName,
    category: slug.describe('A slug of categories.yaml.'),
    tracks: z.array(slug).min(1).max(4).describe('Slugs of tracks.yaml (P9).'),
    level,
    price: dollars.describe('AU$, GST included.'),
    originalPrice: dollars.optional().describe('AU$, GST included; only when higher than the price (P2).'),
    hours: z.int().min(1).max(400),
    learners: z.int().min(0),
    rating: z
      .number()
      .min(4.6)
      .max(5)
      .multipleOf(0.1)
      .optional()
      .describe('Left out until people have rated the course.'),
    published: day.describe('The day the course was first offered, on the calendar of asOf (P13).'),
    instructor: slug.describe('A slug of instructors.yaml.'),
    exams: z
      .array(examCode)
      .min(1)
      .max(3)
      .optional()
      .describe('Codes of exams.yaml: the outside exams it prepares for.'),
    needs: z.array(slug).min(1).max(3).optional().describe('Courses that teach what this one needs.'),
    leadsTo: z.array(slug).min(1).max(3).optional().describe('Courses that go on from here.'),
    description: line(220).min(140).describe('What you will be able to do; shown on the card.'),
    ...otherDetails,
    guided: z
      .boolean()
      .optional()
      .describe('Whether it can be taken in one’s own time (P38); never a job-guarantee programme.'),
    credential,
    completion,
    facts,
  })
  .refine((course) => course.originalPrice === undefined || course.originalPrice > course.price, {
    path: ['originalPrice'],
    message: 'must be higher than the price, or left out (P2)',
  })
  .refine((course) => !course.guided || course.category !== 'job-guarantee', {
    path: ['guided'],
    message: 'must be left out: a job-guarantee programme is never guided (P38)',
  });

export type CourseContent = z.output<typeof courseSchema>;
