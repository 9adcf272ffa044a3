/** Kinds of value that content files are made of. Days are ISO days on the content's own calendar, `asOf` (P13). */
import { z } from 'zod';
import { levels } from '#app/lib/levels.ts';
import { iconNames } from '#app/ui/icons.ts';
import { refusedAddressIn } from '#app/ui/markdown.server.ts';

export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text === text.trim() && !/[\n\t]| {2}/.test(text), 'must be one line without stray spaces');
export const paragraph = line(2000);
export const slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens');
export const aliases = z.array(slug).min(1).describe('Slugs it had before; they answer 301 (P3).');
export const day = z.iso.date('must be a day such as 2025-09-15');
export const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00');
export const httpsAddress = z.url({ protocol: /^https$/, error: 'must be an https address' });
export const examCode = line(40);
export const dollars = z.number().positive().multipleOf(0.01).max(100_000);

export const markdownOf = (min: number) =>
  z
    .string()
    .min(min)
    .refine((text) => refusedAddressIn(text) === null, {
      error: ({ input }) =>
        `leads to ${refusedAddressIn(String(input))}; links are https:, mailto:, tel: or begin with /, pictures with /`,
    });
export const markdown = markdownOf(200);
export const level = z.enum(levels);
export const icon = z.enum(iconNames);

export function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}
