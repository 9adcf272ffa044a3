import type { ReactNode } from 'react';
import { months } from '#app/lib/dates.ts';
import { Unbroken as UnbrokenParts } from '#app/ui/unbroken.tsx';

/**
 * A text in which codes (SC-300, BB-7KQ2MX), numbers of certificates, dates, times and In-Person stay on one line each.
 * Only pages of staff have it: every page of the shop would load what a date looks like.
 */
export const Unbroken = ({ text }: { text: string }) => <UnbrokenParts text={text} parts={parts} />;

/** The same for what may be more than a text, such as the words of a link. */
export const unbroken = (content: ReactNode) => (typeof content === 'string' ? <Unbroken text={content} /> : content);

const month = `(?:${months.join('|')}|Sept|${months.map((one) => one.slice(0, 3)).join('|')})`;
const patterns = [
  String.raw`\(?\b[A-Z\d]{2,4}-[A-Z\d.]{2,7}\b\)?`,
  String.raw`\bIn-Person\b`,
  String.raw`\b\d{1,2} ${month}\b(?: \d{4}\b)?`,
  String.raw`\b\d{1,2}:\d\d [AP]M\b`,
  String.raw`\b(?:[A-Z\d]{4} ){3}[A-Z\d]\b`,
];
const parts = new RegExp(`(${patterns.join('|')})`);
