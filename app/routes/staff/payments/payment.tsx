import { data, href, redirect } from 'react-router';
import { readNotes } from '#app/features/people/notes.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { isNoteForm, shownNotes, takeNoteAct } from '#app/routes/staff/note-acts.server.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Facts, History, Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/payment';
import { isAsideForm, takeAside } from './aside-acts.server.ts';
import { readPayment, takeDivision } from './payment-page.server.ts';
import { mostShares, shareLabels, whyAside } from './share-fields.ts';
import { shownPayment } from './shown-payment.server.ts';
import { Suggestions } from './suggestions.tsx';

const idOf = (id: string): number => {
  if (!/^\d{1,15}$/.test(id)) throw data(`There is no payment ${id}.`, { status: 404 });
  return Number(id);
};

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  const { db, clock } = context.get(academyContext);
  const about = { kind: 'payment', id: idOf(id) } as const;
  const payment = await unlessDatabaseAway(() => readPayment(db, actor, about.id));
  if (!payment) throw data(`There is no payment ${id}.`, { status: 404 });
  if (payment.root.id !== Number(id)) throw redirect(href('/staff/payments/:id', { id: String(payment.root.id) }));
  const { values, ...shown } = shownPayment(payment);
  const notes = shownNotes(await unlessDatabaseAway(() => readNotes(db, about, actor, clock.now())));
  return { ...shown, notes, history: payment.history.entries, form: blankStaffForm(payment.history.seen, values) };
}

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:record');
  const form = await readForm(request);
  const academy = context.get(academyContext);
  const about = { kind: 'payment', id: idOf(id) } as const;
  const subject = `payment:${about.id}` as const;
  const result = isNoteForm(form)
    ? await takeNoteAct(academy, { form, subject, actor })
    : isAsideForm(form)
      ? await takeAside(academy, { form, actor, paymentId: about.id })
      : await takeDivision(academy, { form, actor, paymentId: about.id });
  return answerForm(result, href('/staff/payments/:id', { id }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Payment');

export default function Payment({ loaderData, actionData }: Route.ComponentProps) {
  const { amount, facts, pieces, canDivide, canSetAside, setAside, suggests, history, notes, suggestions } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/payments')}>Payments</Back>
      <h1 className="mb-6 text-2xl">Payment of {amount}</h1>
      <WhoMay needs="money:record" />
      {actionData?.form && <ErrorSummary form={form} labels={shareLabels} formId="divide-form" />}
      <div className="grid gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid content-start gap-8">
          <Pieces pieces={pieces} />
          {suggestions.length > 0 && (
            <Panel title="What it may be for">
              <Suggestions paymentId={loaderData.id} suggestions={suggestions} form={loaderData.form} />
            </Panel>
          )}
          {canDivide && (
            <OnlyWith permission="money:record">
              <Divide form={form} suggests={suggests} />
            </OnlyWith>
          )}
          <Aside form={form} canSetAside={canSetAside} setAside={setAside} />
        </div>
        <div className="grid content-start gap-8">
          <Panel title="What arrived">
            <Facts facts={facts} />
          </Panel>
          <Notes key={`${form.values.seen} ${notes.length}`} notes={notes} form={form} />
          <History entries={history} />
        </div>
      </div>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Pieces({ pieces }: { pieces: Data['pieces'] }) {
  return (
    <Panel title="What it is for">
      <ul className="border-t border-rule text-sm">
        {pieces.map(({ id, reference, amount, balance, refunds }) => (
          <li key={id} className="border-b border-line py-2">
            <p>
              <b className="tabular">{amount}</b>{' '}
              {reference ? (
                <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
              ) : (
                'without an enrolment'
              )}
              {balance && <span className="text-mute"> {balance}</span>}
            </p>
            {refunds.map((refund) => (
              <p key={refund.id} className="mt-1 break-words border-l-3 border-edge pl-3">
                {refund.what}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Divide({ form, suggests }: { form: FormState; suggests: boolean }) {
  const filled = [...Array(mostShares).keys()].filter((at) => form.values[`to${at}`] || form.values[`amount${at}`]);
  // Room for two more than there are; without JavaScript another two come with each time it is sent.
  const shown = Math.min(mostShares, (filled.at(-1) ?? -1) + 3);
  return (
    <Panel title="For which enrolments">
      <Words>
        Say for which enrolments this payment is, and how much for each. Any amount left stays without an enrolment.
        Empty all fields to take the payment off every enrolment. An amount we refunded stays with its enrolment.
        {suggests && ' We filled in the fields from the payer’s description. Nothing is saved yet.'}
      </Words>
      <ActForm act="divide" form={form} needs="money:record" className="mt-4 grid gap-4" submit="Save" look="primary">
        {[...Array(shown).keys()].map((at) => (
          <div key={at} className="grid grid-cols-2 gap-4">
            <TextField form={form} name={`to${at}`} label={`Enrolment ${at + 1}`} autoComplete="off" />
            <TextField form={form} name={`amount${at}`} label={`Dollars ${at + 1}`} inputMode="decimal" />
          </div>
        ))}
      </ActForm>
    </Panel>
  );
}

type Props = { form: FormState; canSetAside: boolean; setAside: { why: string; at: string } | null };

/** Sets a payment aside that is none for the academy, or says why it was and brings it back. */
function Aside({ form, canSetAside, setAside }: Props) {
  if (setAside) {
    return (
      <Panel title="Set aside">
        <Words>
          {setAside.why}. Set aside on {setAside.at}: no list and no figure has it.
        </Words>
        <OnlyWith permission="money:record">
          <ActForm
            act="bring-back"
            id={null}
            form={form}
            needs="money:record"
            className="mt-4"
            submit="Bring it back"
          />
        </OnlyWith>
      </Panel>
    );
  }
  if (!canSetAside) return null;
  return (
    <OnlyWith permission="money:record">
      <Panel title="Not for us?">
        <Words>
          A payout of Stripe or a transfer between our own accounts is no payment by anybody. Set it aside: then no list
          and no figure has it. You can bring it back.
        </Words>
        <ActForm
          act="set-aside"
          id={null}
          form={form}
          needs="money:record"
          className="mt-4 grid gap-4"
          submit="Set it aside"
        >
          <TextField form={form} name="why" label={whyAside} required />
        </ActForm>
      </Panel>
    </OnlyWith>
  );
}
