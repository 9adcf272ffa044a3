import { href, Link, useNavigation } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { recordedQuery } from '#app/features/money/recorded-statement.ts';
import { previewUpload, takeUpload } from '#app/features/money/statement-uploads.server.ts';
import { suggestFor } from '#app/features/money/suggestions.server.ts';
import type { Arrival } from '#app/features/money/suggestions.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { shortDate } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/statement';
import { balanceInWords, namedInWords, namedOne } from './shown-money.server.ts';
import { shownSuggestion } from './suggested.server.ts';
import { SuggestedFor } from './suggestions.tsx';

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
async function shownPreview(db: Db, actor: StaffActor, { lines, faults, read }: Upload, page: number) {
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

export async function loader({ context, params: { key }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  const academy = context.get(academyContext);
  const page = Number(url.searchParams.get('page')) || 1;
  const preview = await unlessDatabaseAway(async () => {
    const upload = await previewUpload(academy, actor, key);
    return upload && shownPreview(academy.db, actor, upload, page);
  });
  return { preview, form: blankStaffForm(0) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:record');
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const { result, recorded } = await takeUpload(academy, { form, actor });
  return answerForm(result, `${href('/staff/payments')}?${recordedQuery(recorded)}`);
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Bank statement');

export default function Statement({
  loaderData: { preview, form: fresh },
  actionData,
  params: { key },
}: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  const form = actionData?.form ?? fresh;
  return (
    <>
      <Back to={href('/staff/payments')}>Payments</Back>
      <h1 className="mb-6 text-2xl">Bank statement</h1>
      <WhoMay needs="money:record" what="record it" />
      {actionData?.form && <ErrorSummary form={form} labels={{}} formId="statement-form" />}
      {preview ? (
        <>
          <Summary preview={preview} />
          <ActForm
            act="record"
            id="statement-form"
            form={form}
            needs="money:record"
            className="mt-4 mb-8 flex flex-wrap gap-3"
            carries={{ key }}
            stays={false}
          >
            {preview.worthwhile ? (
              <SendButton look="primary" disabled={sending}>
                {sending ? 'Recording…' : recordWords(preview.counts)}
              </SendButton>
            ) : (
              <p>There is nothing new to record.</p>
            )}
            <Link to={href('/staff/payments')} className={button.quiet}>
              Go back without recording
            </Link>
          </ActForm>
          <Faults preview={preview} />
          <Lines preview={preview} />
        </>
      ) : (
        <Words>
          This statement was already recorded, or you uploaded it more than a day ago. Upload it again to see it.
        </Words>
      )}
    </>
  );
}

type StatementPreview = { preview: NonNullable<Route.ComponentProps['loaderData']['preview']> };

const lines = (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`;

function recordWords({ fresh, outgoing }: StatementPreview['preview']['counts']): string {
  if (fresh === 0 && outgoing > 0) return `List ${lines(outgoing)}`;
  return `Record ${fresh} ${fresh === 1 ? 'payment' : 'payments'}`;
}

function Summary({ preview: { counts } }: StatementPreview) {
  return (
    <>
      <p className="text-lg">
        <b className="tabular">
          {counts.fresh} new {counts.fresh === 1 ? 'payment' : 'payments'}, together {counts.total}.
        </b>{' '}
        {counts.other > 0 && `We leave out ${counts.other} other ${counts.other === 1 ? 'line' : 'lines'}. `}
        Nothing is recorded yet.
      </p>
      <p className="mt-1 max-w-prose text-mute">You can accept suggestions once the statement is recorded.</p>
    </>
  );
}

function Faults({ preview: { faults, counts } }: StatementPreview) {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="mb-8 rounded-control border border-fault p-4">
      <h2 className="mb-1 text-lg">{lines(counts.faults)} cannot be read</h2>
      <p className="mb-2">We leave them out. You can record the others.</p>
      <ul className="grid list-disc gap-1 pl-5">
        {faults.map(({ line, why }) => (
          <li key={line} className="break-words">
            Line {line}: {why}
          </li>
        ))}
      </ul>
      {counts.faults > faults.length && <p className="mt-2">And {counts.faults - faults.length} more.</p>}
    </div>
  );
}

function Lines({ preview }: StatementPreview) {
  const { page, pages } = preview;
  return (
    <div className="grid gap-8">
      {preview.groups.map(({ verdict, title, count, lines: its }) => (
        <Section key={verdict} title={title} beside={count}>
          <Rows
            label={title}
            rows={its}
            keyOf={({ line }) => line}
            columns={verdict === 'known' ? `${statementColumns} text-mute` : statementColumns}
            roomy
          >
            {({ line, day, amount, words, reference, what, suggestions }) => (
              <>
                <span className="tabular text-mute">
                  {day}, line {line}
                </span>
                <span className="tabular text-base font-bold md:text-right">{amount}</span>
                <p className="break-words">{words || <span className="text-mute">Without words</span>}</p>
                <div>
                  {reference && (
                    <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                  )}{' '}
                  {what}
                  {suggestions.map((suggestion) => (
                    <div key={suggestion.key} className="mt-1 border-l-3 border-edge pl-3">
                      <SuggestedFor suggestion={suggestion} />
                    </div>
                  ))}
                </div>
              </>
            )}
          </Rows>
        </Section>
      ))}
      {pages > 1 && (
        <nav aria-label="Pages" className="flex flex-wrap items-center gap-x-6 gap-y-2">
          {page > 1 && <TextLink to={`?page=${page - 1}`}>Lines before</TextLink>}
          <span className="text-mute">
            Page {page} of {pages}
          </span>
          {page < pages && <TextLink to={`?page=${page + 1}`}>More lines</TextLink>}
        </nav>
      )}
    </div>
  );
}

const statementColumns =
  'grid-cols-[minmax(0,1fr)] text-sm md:grid-cols-[6.5rem_7.5rem_minmax(0,2fr)_minmax(0,3fr)] lg:grid-cols-[11rem_8rem_minmax(0,2fr)_minmax(0,3fr)]';
