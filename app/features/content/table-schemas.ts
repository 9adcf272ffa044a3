/** The schemas of two tables: public holidays, and search synonyms. */
import { z } from 'zod';
import { day, line, slug } from './schema-parts.ts';

export const holidaysSchema = z.array(
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

export const synonymsSchema = z.array(
  z.strictObject({
    typed: line(40)
      .refine((text) => text === text.toLowerCase(), 'must be in lower case')
      .describe('What people type.'),
    means: z.array(line(60)).min(1).max(4).describe('What the catalogue calls it; a search for it finds courses.'),
  }),
);
