import { data, href, redirect } from 'react-router';
import { z } from 'zod';
import { bringPaymentBack, type SetAside, setPaymentAside } from '#app/features/money/payments-to-review.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import {
  type ActDone,
  blankStaffForm,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type Academy, academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
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
import { methodInWords } from './payment-list.tsx';
import { readPayment, takeDivision } from './payment-page.server.ts';
import { mostShares, shareLabels, whyAside } from './share-fields.ts';
import { amountInWords, balanceInWords } from './shown-money.server.ts';
import { shownSuggestion } from './suggested.server.ts';
import { Suggestions } from './suggestions.tsx';

const asideForm = z.discriminatedUnion('act', [
  z.looseObject({ ...common, act: z.literal('set-aside'), why: requiredLine('what it is', 200) }),
  z.looseObject({ ...common, act: z.literal('bring-back') }),
]);

/** Whether a form sets a payment aside or brings it back. */
const isAsideForm = (form: FormData | null): boolean =>
  ['set-aside', 'bring-back'].includes(String(form?.get('act') ?? ''));

/** Sets a payment aside, or brings it back. */
function takeAside(
  academy: Academy,
  { form, actor, paymentId }: { form: FormData | null; actor: StaffActor; paymentId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: asideForm,
    subject: `payment:${paymentId}`,
    actor,
    async act(trx, values, { now: at }): Promise<ActDone | Refused | { ok: false; reason: 'missing' }> {
      const by = { paymentId, actor, at };
      const done =
        values.act === 'set-aside'
          ? await setPaymentAside(trx, { ...by, why: values.why })
          : await bringPaymentBack(trx, by);
      if (done.ok) return { ok: true, did: null };
      if (done.reason === 'missing') return { ok: false, reason: 'missing' };
      return { ok: false, reason: 'refused', fault: inWords(done.reason) };
    },
  });
}

function inWords(reason: Exclude<Extract<SetAside, { ok: false }>['reason'], 'missing'>): string {
  return reason === 'changed'
    ? 'Somebody did this already. The page shows how it is now.'
    : 'A part of this payment is for an enrolment or was refunded, so it cannot be set aside.';
}

type Payment = NonNullable<Awaited<ReturnType<typeof readPayment>>>;

/** A payment with its enrolments and the values of the fields for them. */
function shownPayment({ root, arrivedCents, pieces, suggested, suggestions }: Payment) {
  const facts: (readonly [string, string])[] = [
    ['Came in on', formatDay(root.received_on)],
    ['How', methodInWords(root.method)],
    ['Payer’s description', showControlCharacters(root.words ?? '') || 'None'],
    ['Recorded', formatMoment(root.recorded_at)],
  ];
  const assigned = pieces.filter(({ enrolment_id }) => enrolment_id !== null);
  const shares =
    assigned.length > 0
      ? [...Map.groupBy(assigned, ({ reference }) => reference ?? '')].map(([reference, its]) => ({
          reference,
          cents: its.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
        }))
      : shareOut(suggested, arrivedCents);
  return {
    id: root.id,
    amount: amountInWords(arrivedCents, root.currency),
    suggestions: suggestions.map(shownSuggestion),
    facts,
    canDivide: root.currency === 'AUD' && root.set_aside_at === null,
    canSetAside:
      root.method === 'bank' && root.set_aside_at === null && pieces.length === 1 && pieces.every(isForNobody),
    setAside: root.set_aside_at && {
      why: showControlCharacters(root.set_aside_why ?? ''),
      at: formatMoment(root.set_aside_at),
    },
    suggests: assigned.length === 0 && suggested.length > 0,
    values: Object.fromEntries(
      shares.flatMap(({ reference, cents }, at) => [
        [`to${at}`, reference],
        [`amount${at}`, cents > 0 ? (cents / 100).toFixed(2) : ''],
      ]),
    ),
    pieces: pieces.map(({ id, reference, amount_cents, balanceCents, refunds }) => ({
      id,
      reference,
      amount: amountInWords(amount_cents, root.currency),
      balance: balanceCents === null ? null : balanceInWords(balanceCents),
      refunds: refunds.map((refund) => ({
        id: refund.id,
        what: `${formatExact(refund.amount_cents)} ${refund.state === 'sent' ? 'refunded' : 'refund failed'}, ${formatDay(refund.sent_on)}: ${showControlCharacters(refund.reason)}`,
      })),
    })),
  };
}

const isForNobody = ({ enrolment_id, refunds }: Payment['pieces'][number]) =>
  enrolment_id === null && refunds.length === 0;

/** The balance of each, up to the rest of the payment. */
function shareOut(suggested: Payment['suggested'], arrivedCents: Cents): { reference: string; cents: Cents }[] {
  let left = arrivedCents;
  return suggested.map(({ reference, owedCents }) => {
    const cents = Math.min(left, owedCents);
    left -= cents;
    return { reference, cents };
  });
}

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
