import { href, Link } from 'react-router';
import { z } from 'zod';
import {
  listAccountantFiles,
  makeAccountantFiles,
  waitingDocuments,
} from '#app/features/money/accountant/files.server.ts';
import { accountCode, usualAccount } from '#app/features/money/accountant/xero.ts';
import { type DocumentKind, numberOf } from '#app/features/money/document-numbers.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  blankStaffForm,
  common,
  readHistory,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { lastDay, periodOfQuarter, quarterIn } from '#app/features/reports/period.ts';
import { type Academy, academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatCents, formatExact } from '#app/lib/exact-money.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { FileLink, Table, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/accountant';

const schema = z.object({
  ...common,
  kind: z.enum(['tax-invoice', 'adjustment-note']),
  until: z.iso.date('Enter the last day of issue.'),
  account: z
    .string()
    .trim()
    .regex(accountCode, 'Enter the code of an account in Xero: up to ten letters, digits, dots and hyphens.'),
});

/** Makes the files of what was issued by a day; a second request at the same time answers with the files of the first (P25). */
const takeMaking = (
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> =>
  takeStaffAct(academy, {
    form,
    actor,
    schema,
    subject: 'accountant:files',
    words: { where: 'the list of files' },
    async act(trx, { kind, until, account }, { now }) {
      const files = await makeAccountantFiles(trx, { kind, until, accountCode: account, actor, at: now });
      if (files === 0) {
        return { ok: false, reason: 'refused', errors: { until: 'Nothing new was issued by that day.' } };
      }
      return { ok: true, did: { action: 'make-accountant-files', details: { kind, until, files } } };
    },
  });

const kinds: readonly { kind: DocumentKind; many: string }[] = [
  { kind: 'tax-invoice', many: 'Tax invoices' },
  { kind: 'adjustment-note', many: 'Adjustment notes' },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:export');
  const academy = context.get(academyContext);
  const { today } = momentOf(academy);
  const before = /^\d{1,15}$/.exec(url.searchParams.get('before') ?? '')?.[0];
  return unlessDatabaseAway(async () => {
    const { files, next } = await listAccountantFiles(academy.db, actor, before ? Number(before) : null);
    const waiting = await waitingDocuments(academy.db, actor);
    const { seen } = await readHistory(academy.db, actor, 'accountant:files');
    const quarter = periodOfQuarter(quarterIn(url.searchParams, today));
    return {
      form: blankStaffForm(seen, { until: today, account: files[0]?.account_code ?? usualAccount }),
      cash: { from: quarter.from, to: lastDay(quarter) },
      isFirst: before === undefined,
      next: next && `?before=${next}`,
      waiting: kinds.map(({ kind, many }) => ({
        kind,
        many,
        documents: waiting[kind].documents,
        more: waiting[kind].more && formatCount(waiting[kind].documents),
        total: formatExact(waiting[kind].totalCents),
        since: waiting[kind].firstDay && formatDays(waiting[kind].firstDay, waiting[kind].firstDay),
      })),
      files: files.map((file) => ({
        id: String(file.id),
        first: numberOf(file.kind, file.first_number),
        last: numberOf(file.kind, file.last_number),
        documents: file.documents,
        total: formatCents(file.total_cents),
        gst: formatCents(file.gst_cents),
        differs: file.gst_differs,
        account: file.account_code,
        made: `${formatMoment(file.made_at)}${file.made_by ? `, ${file.made_by}` : ''}`,
        taken: file.taken_at && formatMoment(file.taken_at),
      })),
    };
  });
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:export');
  const result = await takeMaking(context.get(academyContext), { form: await readForm(request), actor });
  return answerForm(result, href('/staff/money/accountant'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Accountant’s files');

type Data = Route.ComponentProps['loaderData'];
const labels = { kind: 'Documents', until: 'Issued by', account: 'Account in Xero' };

export default function Accountant({ loaderData, actionData }: Route.ComponentProps) {
  const { waiting, files, isFirst, next, cash } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <PageHead
        title="Accountant’s files"
        beside="Files for Xero. Each tax invoice and adjustment note is in one file."
      />
      <ErrorSummary form={form} labels={labels} formId="make-form" />
      <div className="grid gap-10">
        <Section title="New documents">
          <div className="grid gap-4 pt-3">
            <ul className="grid gap-1">
              {waiting.map((one) => (
                <li key={one.kind}>{waitingText(one)}</li>
              ))}
            </ul>
            {waiting.some(({ documents }) => documents > 0) && <Make form={form} waiting={waiting} />}
          </div>
        </Section>
        <Section title="Files">
          <Files files={files} isFirst={isFirst} next={next} />
          <p className="max-w-prose pt-3 text-sm text-mute">
            In Xero, open Sales, Invoices, Import, choose the file and “Tax inclusive”: amounts include GST. Import
            adjustment notes the same way: their amounts are below zero, and Xero makes credit notes of them. Compare
            the total with this list before you approve. Ask your accountant to try the first file.
          </p>
        </Section>
        <Section title="Money">
          <CashFile cash={cash} />
        </Section>
      </div>
    </>
  );
}

function waitingText({ many, documents, more, total, since }: Data['waiting'][number]): string {
  if (documents === 0) return `${many}: all are in a file.`;
  if (more) return `${many}: more than ${more} in no file yet, since ${since}.`;
  return `${many}: ${documents} in no file yet, ${total}, since ${since}.`;
}

function Make({ form, waiting }: { form: Data['form']; waiting: Data['waiting'] }) {
  const usual = waiting.find(({ documents }) => documents > 0)?.kind ?? 'tax-invoice';
  return (
    <ActForm
      act="make"
      form={form}
      needs="money:export"
      submit="Make the file"
      look="primary"
      className="flex flex-wrap items-start gap-4"
    >
      <label className="grid gap-1.5 font-bold">
        Documents
        <select name="kind" defaultValue={form.values.kind ?? usual} className={select}>
          {waiting.map(({ kind, many }) => (
            <option key={kind} value={kind}>
              {many}
            </option>
          ))}
        </select>
      </label>
      <TextField form={form} name="until" label={labels.until} type="date" />
      <TextField form={form} name="account" label={labels.account} />
    </ActForm>
  );
}

function Files({ files, isFirst, next }: Pick<Data, 'files' | 'isFirst' | 'next'>) {
  if (files.length === 0) return <Words>No file has been made yet.</Words>;
  return (
    <>
      <Table
        label="Files"
        minWidth="min-w-[60rem]"
        head={[
          'Documents',
          { text: 'How many', right: true },
          { text: 'Total, AU$', right: true },
          { text: 'GST in it, AU$', right: true },
          'Account',
          'Made',
          'File',
        ]}
      >
        {files.map((file) => (
          <tr key={file.id}>
            <td>
              {file.first === file.last ? file.first : `${file.first} to ${file.last}`}
              {file.differs.length > 0 && (
                <span className="block text-sm text-fault">
                  Xero rounds the GST of {file.differs.join(', ')} differently. Correct it there.
                </span>
              )}
            </td>
            <NumberCell>{file.documents}</NumberCell>
            <NumberCell>{file.total}</NumberCell>
            <NumberCell>{file.gst}</NumberCell>
            <td>{file.account}</td>
            <td>{file.made}</td>
            <td>
              <Download file={file} />
            </td>
          </tr>
        ))}
      </Table>
      <nav aria-label="Pages" className="mt-4 flex gap-3">
        {!isFirst && (
          <Link to={href('/staff/money/accountant')} className={button.quiet}>
            Latest files
          </Link>
        )}
        {next && (
          <Link to={next} className={button.quiet}>
            Earlier files
          </Link>
        )}
      </nav>
    </>
  );
}

function Download({ file: { id, first, taken } }: { file: Data['files'][number] }) {
  const to = `${href('/staff/:list.csv', { list: 'xero' })}?id=${id}`;
  const name = <span className="sr-only"> the file from {first}</span>;
  if (!taken) return <FileLink to={to}>Download{name}</FileLink>;
  return (
    <>
      <FileLink to={`${to}&again=1`}>Download again{name}</FileLink>
      <span className="block text-sm text-mute">Downloaded {taken}. Import it only once.</span>
    </>
  );
}

function CashFile({ cash: { from, to } }: Pick<Data, 'cash'>) {
  return (
    <form action={href('/staff/:list.csv', { list: 'cash' })} className="flex flex-wrap items-end gap-3 pt-3">
      <p className="w-full max-w-prose">
        All money that came in and all refunds that were sent, as lines of a bank statement. We do not record which days
        you download.
      </p>
      <label className="grid gap-1.5 font-bold">
        First day
        <input type="date" name="from" required defaultValue={from} className={field} />
      </label>
      <label className="grid gap-1.5 font-bold">
        Last day
        <input type="date" name="to" required defaultValue={to} className={field} />
      </label>
      <button type="submit" className={button.quiet}>
        Export CSV
      </button>
    </form>
  );
}
