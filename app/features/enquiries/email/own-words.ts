/**
 * What somebody wrote in an email, apart from the emails before it that their program repeats below. Only what is below
 * everything else counts as repeated: an answer between quoted lines stays as it is. With nothing above it, all is shown.
 */
export function ownWordsOf(text: string): { own: string; repeated: string } {
  const lines = text.split('\n');
  const from = firstRepeated(lines);
  const own = lines.slice(0, from).join('\n').trim();
  if (own === '') return { own: text.trim(), repeated: '' };
  return { own, repeated: lines.slice(from).join('\n').trim() };
}

/** The line above the email that Outlook and others repeat without a sign before each line. */
const divider = /^\s*-{2,} ?(original message|forwarded message|original appointment) ?-{2,}\s*$/i;
/** Outlook's other one. People draw such lines too: below its own stands who sent the email. */
const underscores = /^\s*_{20,}\s*$/;
const sentFrom = /^[\s*]*(from|von|de|da|van|från|fra)[\s*]*:/i;

function firstRepeated(lines: readonly string[]): number {
  const divided = lines.findIndex(
    (line, at) =>
      divider.test(line) ||
      (underscores.test(line) && sentFrom.test(lines.slice(at + 1).find((below) => below.trim() !== '') ?? '')),
  );
  if (divided >= 0) return divided;
  let from = lines.length;
  while (from > 0 && (lines[from - 1]?.trim() === '' || lines[from - 1]?.startsWith('>'))) from -= 1;
  if (!lines.slice(from).some((line) => line.startsWith('>'))) return lines.length;
  // "On Monday, Ada wrote:" stands on the line above, or on two.
  if (lines[from - 1]?.trim().endsWith(':'))
    from -= /\bwrote:$/.test(lines[from - 1] ?? '') && startsOn(lines[from - 2]) ? 2 : 1;
  return from;
}

const startsOn = (line = '') => /^On .*[^:.!?]$/.test(line.trim());
