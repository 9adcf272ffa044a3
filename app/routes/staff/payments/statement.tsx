import { href, Link, useNavigation } from 'react-router';
import { recordedQuery } from '#app/features/money/recorded-statement.ts';
import { previewUpload, takeUpload } from '#app/features/money/statement-uploads.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/statement';
import { columns, Moved } from './money-lists.tsx';
import { shownPreview } from './shown-preview.server.ts';
import { SuggestedFor } from './suggestions.tsx';

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
  const facts: [string, string][] = [
    ['New payments', `${counts.fresh}, together ${counts.total}`],
    ['Of them without an enrolment', String(counts.unmatched)],
    ['Recorded before', String(counts.known)],
    ['Went out and names an enrolment', String(counts.outgoing)],
    ['Other lines, left out', String(counts.other)],
    ['Lines that cannot be read', String(counts.faults)],
  ];
  return (
    <>
      <p className="mb-3 max-w-prose">
        This is a preview. Nothing is recorded yet. You can accept suggestions once the statement is recorded.
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 rounded-control border border-line bg-card p-4">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-mute">{label}</dt>
            <dd className="tabular font-bold">{value}</dd>
          </div>
        ))}
      </dl>
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
    <Panel title="Lines of the file, starting with those to check">
      <Rows
        label="Lines of the statement"
        rows={preview.lines}
        keyOf={({ line }) => line}
        columns={({ known }) => (known ? `${columns} text-mute` : columns)}
        roomy
      >
        {({ line, day, amount, words, reference, what, suggestions }) => (
          <>
            <Moved day={`${day}, line ${line}`} amount={amount} words={words} />
            <div>
              {reference && <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>}
              <p>{what}</p>
              {suggestions.map((suggestion) => (
                <div key={suggestion.key} className="mt-1 border-l-3 border-edge pl-3">
                  <SuggestedFor suggestion={suggestion} />
                </div>
              ))}
            </div>
          </>
        )}
      </Rows>
      {pages > 1 && (
        <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2">
          {page > 1 && <TextLink to={`?page=${page - 1}`}>Lines before</TextLink>}
          <span className="text-mute">
            Page {page} of {pages}
          </span>
          {page < pages && <TextLink to={`?page=${page + 1}`}>More lines</TextLink>}
        </nav>
      )}
    </Panel>
  );
}
