import { data, Form, href } from 'react-router';
import { equalInstalments, mostInstalments } from '#app/features/money/instalment-rules.ts';
import { divisible } from '#app/features/money/instalments.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/instalments';
import { readAgreed } from './documents.server.ts';
import { takeInstalments } from './owed-acts.server.ts';

export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:agree');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const found = await unlessDatabaseAway(async () => {
    const whole = await readEnrolmentForStaff(academy.db, actor, reference, moment);
    return whole && { whole, agreed: await readAgreed(academy.db, actor, whole.enrolment.id) };
  });
  if (!found) throw data(`No enrolment has the reference ${reference}.`, { status: 404 });
  const { whole, agreed } = found;
  const open = whole.open.filter((invoice) => divisible(invoice) > 0);
  const invoice = open.find(({ id }) => String(id) === url.searchParams.get('invoice')) ?? open[0];
  const count = Math.min(mostInstalments, Math.max(1, Number(url.searchParams.get('count')) || 2));
  const days = Number(url.searchParams.get('days')) || 30;
  const from = (invoice?.dueOn && invoice.dueOn > moment.today ? invoice.dueOn : null) ?? addDays(moment.today, 7);
  const before = invoice ? (agreed.get(invoice.debt) ?? []) : [];
  const asked = url.searchParams.has('count') || before.length === 0;
  // The open instalments; the amount due before them is added to the first.
  const rows = !invoice
    ? []
    : asked
      ? equalInstalments(divisible(invoice), count, { from, days: Math.min(366, Math.max(1, days)) })
      : before.filter(({ id }) => invoice.instalments.some((one) => one.id === id));
  const filled = rows.flatMap(({ dueOn, cents }, at) => [
    [`day-${at + 1}`, dueOn],
    [`amount-${at + 1}`, (cents / 100).toFixed(2)],
  ]);
  return {
    reference,
    count,
    days,
    rows: Math.min(mostInstalments, Math.max(rows.length, 1) + 1),
    invoices: open.map(({ id, facts }) => [String(id), facts.number] as const),
    invoice: invoice && {
      id: invoice.id,
      number: invoice.facts.number,
      open: formatExact(divisible(invoice)),
      agreed: before.length > 0,
      undecided: invoice.undecided,
    },
    form: blankStaffForm(whole.history.seen, Object.fromEntries(filled)),
  };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:agree');
  const asked = { form: await readForm(request), reference, actor };
  const result = await takeInstalments(context.get(academyContext), asked);
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Agree on instalments');

const labels = Object.fromEntries(
  Array.from({ length: mostInstalments }, (_, at) => at + 1).flatMap((row) => [
    [`day-${row}`, `Day ${row}`],
    [`amount-${row}`, `Amount ${row}`],
  ]),
);

export default function Instalments({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, invoice, rows } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const from = { to: href('/staff/enrolments/:reference', { reference }), text: reference };
  if (!invoice) {
    return (
      <>
        <DialogHead from={from} title="Agree on instalments" />
        <Words>Nothing is owed that could be paid in instalments.</Words>
      </>
    );
  }
  return (
    <>
      <DialogHead
        from={from}
        title="Agree on instalments"
        line={`${invoice.number}: ${invoice.open} is owed.`}
        explains={`The amounts add up to what is owed. Reminders and the list of who owes follow these days. The buyer gets them by email and sees them on their page; the invoice itself stays as it is.${invoice.undecided ? ' Nothing is due before the course date is confirmed, whatever the day.' : ''}`}
      />
      <Suggest data={loaderData} />
      <ErrorSummary form={form} labels={labels} formId="agree-form" />
      <ActForm
        key={Object.values(form.values).join()}
        act="agree"
        form={form}
        needs="money:agree"
        className="grid max-w-2xl gap-3"
        carries={{ invoice: invoice.id }}
        submit="Agree on these instalments"
        back={from.to}
        stays={false}
      >
        {Array.from({ length: rows }, (_, at) => at + 1).map((row) => (
          <div key={row} className="grid grid-cols-2 gap-3">
            <TextField form={form} name={`day-${row}`} label={`Day ${row}`} type="date" />
            <TextField form={form} name={`amount-${row}`} label={`Amount ${row} in dollars`} inputMode="decimal" />
          </div>
        ))}
      </ActForm>
      {invoice.agreed && (
        <ActForm
          act="end"
          form={form}
          needs="money:agree"
          className="mt-6 grid max-w-2xl gap-2 border-t border-line pt-4"
          carries={{ invoice: invoice.id }}
          submit="End the agreement"
          look="danger"
          stays={false}
        >
          <p className="text-mute">The due date of the invoice applies again, and we email the buyer.</p>
        </ActForm>
      )}
    </>
  );
}

/** Fills the rows with equal amounts; works without scripts. */
function Suggest({
  data: { reference, invoice, invoices, count, days },
}: {
  data: Route.ComponentProps['loaderData'];
}) {
  return (
    <Form
      action={href('/staff/enrolments/:reference/instalments', { reference })}
      className="mb-6 flex max-w-2xl flex-wrap items-end gap-3"
    >
      {invoices.length > 1 ? (
        <label className="grid gap-1">
          <span className="font-semibold">Invoice</span>
          <select name="invoice" defaultValue={invoice?.id} className={select}>
            <Options of={invoices} />
          </select>
        </label>
      ) : (
        <input type="hidden" name="invoice" value={invoice?.id} />
      )}
      <label className="grid gap-1">
        <span className="font-semibold">Equal amounts</span>
        <select name="count" defaultValue={count} className={select}>
          <Options of={Array.from({ length: mostInstalments }, (_, at) => [at + 1, String(at + 1)] as const)} />
        </select>
      </label>
      <label className="grid gap-1">
        <span className="font-semibold">Every</span>
        <select name="days" defaultValue={days} className={select}>
          <Options
            of={[
              [7, 'week'],
              [14, 'two weeks'],
              [30, '30 days'],
            ]}
          />
        </select>
      </label>
      <button type="submit" className={button.quiet}>
        Fill in
      </button>
    </Form>
  );
}
