import { emailAddressOf } from '#app/lib/email-address.ts';
import { formatCount } from '#app/lib/money.ts';
import { longestName } from './schema.ts';

type Named = { name: string; email: string };

/** How many faults are named: who pasted the wrong thing does not read a hundred. */
const mostFaults = 5;

/**
 * Reads a pasted list of people (P115), one a line: a name and an email address between which there is a comma, a
 * semicolon or a tab, in either order. Empty lines and a first line of headings are left out. Any fault refuses the whole
 * list, by the number of its line. `most` is how many people have no name yet.
 */
export function readNameList(text: string, most: number): { ok: true; people: Named[] } | { ok: false; fault: string } {
  const lines = text
    .split('\n')
    .map((line, at) => ({ cells: cellsOf(line), number: at + 1 }))
    .filter(({ cells }) => cells.length > 0);
  if (lines[0] && isHeading(lines[0].cells)) lines.shift();
  if (lines.length > most) {
    const people = most === 1 ? 'one person has' : `${formatCount(most)} people have`;
    return { ok: false, fault: `The list has ${formatCount(lines.length)} lines, and ${people} no name yet.` };
  }
  const people: Named[] = [];
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  for (const { cells, number } of lines) {
    const read = readLine(cells);
    const before = typeof read === 'string' ? undefined : lineOf.get(read.email.toLowerCase());
    if (typeof read === 'string') faults.push(`Line ${number}: ${read}`);
    else if (before !== undefined) faults.push(`Line ${number}: the address of line ${before} again.`);
    else {
      lineOf.set(read.email.toLowerCase(), number);
      people.push(read);
    }
  }
  if (faults.length === 0) return { ok: true, people };
  const more = faults.length - mostFaults;
  const others = more > 0 ? [`And ${formatCount(more)} more.`] : [];
  return { ok: false, fault: [...faults.slice(0, mostFaults), ...others].join(' ') };
}

const cellsOf = (line: string): string[] =>
  line
    .split(/[,;\t]/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

const isHeading = (cells: readonly string[]) =>
  cells.every((cell) => !cell.includes('@')) && cells.some((cell) => /^e-?mail/i.test(cell));

function readLine(cells: readonly string[]): Named | string {
  const written = cells.find((cell) => cell.includes('@'));
  const name = cells.filter((cell) => cell !== written).join(' ');
  if (written === undefined) return 'an email address is missing.';
  const email = emailAddressOf(written);
  if (email === null) return `“${written.slice(0, 60)}” is no email address.`;
  if (name === '') return 'a name is missing.';
  return [...name].length > longestName ? `the name has more than ${longestName} characters.` : { name, email };
}
