import type { Db } from '#app/db/client.server.ts';
import type { previewUpload } from '#app/features/money/statement-uploads.server.ts';
import { suggestFor } from '#app/features/money/suggestions.server.ts';
import type { Arrival } from '#app/features/money/suggestions.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { balanceInWords, namedInWords, namedOne } from './shown-money.server.ts';
import { shownSuggestion } from './suggested.server.ts';

type Upload = NonNullable<Awaited<ReturnType<typeof previewUpload>>>;
type Line = Upload['lines'][number];

/** Lines on one page, and faults shown at all. */
const most = 100;

/**
 * The effects of an upload, in words: counts of all lines, and one page of lines; lines that need a person come first.
 */
export async function shownPreview(db: Db, actor: StaffActor, { lines, faults, read }: Upload, page: number) {
  requirePermission(actor, 'money:read');
  const incoming = lines.filter(({ amountCents }) => amountCents > 0);
  const fresh = incoming.filter(({ known }) => !known);
  const outgoing = lines.filter(({ amountCents, known }) => amountCents < 0 && !known);
  const unmatched = fresh.filter(({ match }) => match.kind !== 'one');
  const matched = fresh.filter(({ match }) => match.kind === 'one');
  // Within each in the order of the file.
  const [odd, plain] = [matched.filter(isOdd), matched.filter((line) => !isOdd(line))];
  const all = [...outgoing, ...unmatched, ...odd, ...plain, ...lines.filter(({ known }) => known)];
  const pages = Math.max(1, Math.ceil(all.length / most));
  const at = Math.min(Math.max(1, page), pages);
  const shown = all.slice((at - 1) * most, at * most);
  const suggested = await suggestFor(db, shown.map(arrivalOf));
  return {
    counts: {
      fresh: fresh.length,
      total: formatExact(fresh.reduce((sum, { amountCents }) => sum + amountCents, 0)),
      unmatched: unmatched.length,
      known: lines.length - fresh.length - outgoing.length,
      outgoing: outgoing.length,
      other: read - lines.length,
      faults: faults.length,
    },
    /** Whether recording does anything. */
    worthwhile: fresh.length + outgoing.length > 0,
    faults: faults.slice(0, most).map(({ line, why }) => ({ line, why: showControlCharacters(why) })),
    page: at,
    pages,
    lines: shown.map((line, index) => ({
      line: line.line,
      day: formatDay(line.day),
      amount: formatExact(line.amountCents),
      words: showControlCharacters(line.words),
      known: line.known !== null,
      reference: 'enrolment' in line.match ? line.match.enrolment.reference : null,
      what: whatOf(line),
      suggestions: (suggested[index] ?? []).map(shownSuggestion),
    })),
  };
}

/** Lines that are recorded, outgoing, or name one enrolment get no suggestion. */
const arrivalOf = ({ amountCents, words, known, match }: Line): Arrival =>
  known || match.kind === 'one' ? { amountCents: 0, words: '' } : { amountCents, words };

const isOdd = ({ balanceAfterCents }: Line) => balanceAfterCents !== 0;

function whatOf({ known, amountCents, match, balanceAfterCents }: Line): string {
  if (known?.how === 'by-hand') return 'Recorded by hand before, so it is no second payment';
  if (known?.how === 'returned') return 'A refund that failed and came back: it is recorded already';
  if (known) return 'Recorded before';
  if (amountCents < 0)
    return 'Money that went out: a payment that the bank took back, or a refund. Say which afterwards';
  if (match.kind === 'one') return `${namedOne(match.enrolment)}. ${balanceInWords(balanceAfterCents ?? 0)}`;
  if (match.kind === 'settled') return `${namedInWords(match)}. Nothing is owed there`;
  return namedInWords(match) ?? 'Names no enrolment: assign it by hand';
}
