import type { Db } from '#app/db/client.server.ts';
import type { previewUpload } from '#app/features/money/statement-uploads.server.ts';
import { suggestFor } from '#app/features/money/suggestions.server.ts';
import type { Arrival } from '#app/features/money/suggestions.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { shortDate } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { balanceInWords, namedInWords, namedOne } from './shown-money.server.ts';
import { shownSuggestion } from './suggested.server.ts';

type Upload = NonNullable<Awaited<ReturnType<typeof previewUpload>>>;
type Line = Upload['lines'][number];

/** Lines on one page, and faults shown at all. */
const most = 100;

/** What happens to a line, in the order of the page: what needs a person first. */
const verdicts = {
  out: 'Money that went out',
  check: 'To check by hand',
  part: 'Matched, but not what is owed',
  sure: 'Matched, and settled by it',
  known: 'Recorded before',
} as const;
type Verdict = keyof typeof verdicts;

function verdictOf({ known, amountCents, match, balanceAfterCents }: Line): Verdict {
  if (known) return 'known';
  if (amountCents < 0) return 'out';
  if (match.kind !== 'one') return 'check';
  return balanceAfterCents === 0 ? 'sure' : 'part';
}

/**
 * The effects of an upload, in words: how many lines each verdict has, and one page of lines, verdict by verdict and within
 * each in the order of the file.
 */
export async function shownPreview(db: Db, actor: StaffActor, { lines, faults, read }: Upload, page: number) {
  requirePermission(actor, 'money:read');
  const byVerdict = Map.groupBy(lines, verdictOf);
  const of = (verdict: string) => byVerdict.get(verdict as Verdict) ?? [];
  const all = Object.keys(verdicts).flatMap(of);
  const fresh = ['check', 'part', 'sure'].flatMap(of);
  const pages = Math.max(1, Math.ceil(all.length / most));
  const at = Math.min(Math.max(1, page), pages);
  const shown = all.slice((at - 1) * most, at * most);
  const suggested = await suggestFor(db, shown.map(arrivalOf));
  return {
    counts: {
      fresh: fresh.length,
      total: formatExact(fresh.reduce((sum, { amountCents }) => sum + amountCents, 0)),
      outgoing: of('out').length,
      other: read - lines.length,
      faults: faults.length,
    },
    /** Whether recording does anything. */
    worthwhile: fresh.length + of('out').length > 0,
    faults: faults.slice(0, most).map(({ line, why }) => ({ line, why: showControlCharacters(why) })),
    page: at,
    pages,
    groups: [
      ...Map.groupBy(
        shown.map((line, index) => ({ line, index })),
        ({ line }) => verdictOf(line),
      ),
    ].map(([verdict, its]) => ({
      verdict,
      title: verdicts[verdict],
      count: of(verdict).length,
      lines: its.map(({ line, index }) => ({
        line: line.line,
        day: shortDate(line.day),
        amount: formatExact(line.amountCents),
        words: showControlCharacters(line.words),
        reference: 'enrolment' in line.match ? line.match.enrolment.reference : null,
        what: whatOf(line),
        suggestions: (suggested[index] ?? []).map(shownSuggestion),
      })),
    })),
  };
}

/** Lines that are recorded, outgoing, or name one enrolment get no suggestion. */
const arrivalOf = ({ amountCents, words, known, match }: Line): Arrival =>
  known || match.kind === 'one' ? { amountCents: 0, words: '' } : { amountCents, words };

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
