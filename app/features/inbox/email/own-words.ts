/**
 * The text of an email without the earlier emails that the sender's program repeats below it. Only text below
 * everything else counts as repeated: an answer between quoted lines stays as it is. If there is nothing above the
 * repeated text, all is shown.
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
/** Outlook's other line. People draw such lines too, but Outlook names the sender below. */
const underscores = /^\s*_{20,}\s*$/;
const sentFrom = /^[\s*]*(from|von|de|da|van|från|fra)[\s*]*:/i;

/** The line before a repeated email, with its time. */
const saidWhen = /^On .*\b\d{1,2}:\d\d\b.*<\S+@\S+> wrote:$/;

/** The head of a repeated email as Outlook writes it: who sent it, when, to whom, about what. */
const isHead = ([first = '', ...below]: readonly string[]) =>
  sentFrom.test(first) &&
  [
    /^[\s*]*(sent|date|gesendet|envoyé|enviado|skickat)[\s*]*:/i,
    /^[\s*]*(subject|betreff|objet|asunto|oggetto)[\s*]*:/i,
  ].every((part) => below.some((line) => part.test(line)));

function firstRepeated(lines: readonly string[]): number {
  const divided = lines.findIndex(
    (line, at) =>
      divider.test(line) ||
      isHead(lines.slice(at, at + 6)) ||
      // Yahoo repeats below it without a sign before each line.
      (at > 0 && saidWhen.test(`${line} ${line.trim().endsWith('wrote:') ? '' : lines[at + 1]}`.trim())) ||
      (underscores.test(line) && sentFrom.test(lines.slice(at + 1).find((below) => below.trim() !== '') ?? '')),
  );
  if (divided >= 0) return divided;
  // Some put what they sign with below what they repeat.
  const signed = lines.lastIndexOf('-- ');
  let from =
    signed > 0 &&
    lines
      .slice(0, signed)
      .findLast((line) => line.trim() !== '')
      ?.startsWith('>')
      ? signed
      : lines.length;
  while (from > 0 && (lines[from - 1]?.trim() === '' || lines[from - 1]?.startsWith('>'))) from -= 1;
  if (!lines.slice(from).some((line) => line.startsWith('>'))) return lines.length;
  // "On Monday, Ada wrote:" is on the line above, or on two.
  if (lines[from - 1]?.trim().endsWith(':'))
    from -= /\bwrote:$/.test(lines[from - 1] ?? '') && startsOn(lines[from - 2]) ? 2 : 1;
  return from;
}

const startsOn = (line = '') => /^On .*[^:.!?]$/.test(line.trim());
