import type { ReactNode } from 'react';

/**
 * A text in which codes (SC-300, BB-7KQ2MX), numbers of certificates, dates, times and In-Person stay on one line each;
 * browsers would break them at a hyphen or a space.
 */
export function Unbroken({ text }: { text: string }) {
  return text.split(code).map((part, at) =>
    at % 2 === 1 ? (
      // The parts of a text do not move.
      // biome-ignore lint/suspicious/noArrayIndexKey: a code may stand in it twice
      <span key={at} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** The same for what may be more than a text, such as the words of a link. */
export const unbroken = (content: ReactNode) => (typeof content === 'string' ? <Unbroken text={content} /> : content);

// A date is a number with a word that begins as a month does: one expression, because every page loads it.
const code =
  /(\(?\b[A-Z\d]{2,4}-[A-Z\d.]{2,7}\b\)?|\bIn-Person\b|\b\d{1,2} [ADFJMNOS][a-z]{2,8}\b(?: \d{4}\b)?|\b\d{1,2}:\d\d [AP]M\b|\b(?:[A-Z\d]{4} ){3}[A-Z\d]\b)/;
