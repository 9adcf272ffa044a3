import type { ReactNode } from 'react';
import { href } from 'react-router';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, OnlyWith, SendButton } from '#app/ui/staff/act-form.tsx';
import { Tabs } from '#app/ui/staff/heads.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { FileLink, Panel, TextLink, Words } from '#app/ui/staff/parts.tsx';
import type { MoneyPages } from './payments.server.ts';
import type { ShownMoney } from './shown-money.server.ts';
import { Suggestions } from './suggestions.tsx';

type Data = ShownMoney & { pages: MoneyPages };

/** The columns of these lists. */
export const columns = 'grid-cols-[minmax(0,1fr)] text-sm md:grid-cols-[9rem_minmax(0,2fr)_minmax(0,3fr)]';

/** When money moved, how much, and the words that came with it. */
export function Moved({ day, amount, words }: { day: string; amount: ReactNode; words: string }) {
  return (
    <>
      <div>
        <p className="tabular text-base font-bold">{amount}</p>
        <p className="tabular text-mute">{day}</p>
      </div>
      <p className="break-words">{words || <span className="text-mute">Without words</span>}</p>
    </>
  );
}

function EnrolmentLink({ reference }: { reference: string }) {
  return <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>;
}

/** Outgoing lines of bank statements, for staff to settle. */
export function Outgoing({ outgoing, form }: { outgoing: Data['outgoing']; form: FormState }) {
  if (outgoing.length === 0) return null;
  return (
    <Panel title="Money that went out">
      <p className="mb-3 max-w-prose">
        These lines of a bank statement name an enrolment. When the bank took a payment back, record it: the invoice is
        open again. If you have already recorded it as a refund, set the line aside.
      </p>
      <Rows label="Money that went out" rows={outgoing} keyOf={({ id }) => id} columns={columns} roomy>
        {({ id, day, amount, words, reference, refunded }) => (
          <>
            <Moved day={day} amount={amount} words={words} />
            <div>
              {reference && <EnrolmentLink reference={reference} />}
              {refunded && <p className="text-mute">A refund of this amount is recorded for {refunded}.</p>}
              <ActForm
                act="line"
                id={null}
                form={form}
                needs="money:record"
                className="mt-2 flex flex-wrap gap-2"
                carries={{ line: id }}
              >
                {reference && (
                  <SendButton name="as" value="taken-back">
                    The bank took it back
                  </SendButton>
                )}
                <SendButton name="as" value="dismissed">
                  Set aside
                </SendButton>
              </ActForm>
            </div>
          </>
        )}
      </Rows>
    </Panel>
  );
}

/** Payments for a person, a page of them. */
export function Odd({ shown: { odd, olderThan, pages }, form }: { shown: Data; form: FormState }) {
  const none = pages.before ? 'That’s all.' : allWell[pages.part];
  return (
    <Panel title="Payments to look at">
      <Tabs
        label="Payments to look at"
        tabs={[
          { text: 'To do', to: address['to-do'], current: pages.part === 'to-do' },
          { text: 'Late, or after a cancellation', to: address.others, current: pages.part === 'others' },
        ]}
      />
      {odd.some(({ suggestions }) => suggestions.some(({ sure }) => sure)) && (
        <p className="mb-3">
          <TextLink to={href('/staff/payments/suggested')}>Accept sure suggestions together</TextLink>
        </p>
      )}
      <Rows
        label="Payments to look at"
        rows={odd}
        keyOf={({ id }) => id}
        columns={columns}
        roomy
        none={<Words>{none}</Words>}
      >
        {({ id, day, amount, words, why, reference, todo, suggestions }) => (
          <>
            <Moved
              day={day}
              amount={<TextLink to={href('/staff/payments/:id', { id: String(id) })}>{amount}</TextLink>}
              words={words}
            />
            <div>
              <p className="font-semibold">{why}</p>
              {reference ? (
                <p>
                  <EnrolmentLink reference={reference} /> {todo && <span className="text-mute">{todo}</span>}
                </p>
              ) : (
                <>
                  <Suggestions paymentId={id} suggestions={suggestions} form={form} />
                  <Assign id={id} form={form} />
                </>
              )}
            </div>
          </>
        )}
      </Rows>
      {odd.length > 0 && (
        <OnlyWith permission="lists:export">
          <p className="mt-3">
            <FileLink to={href('/staff/payments.csv')}>All payments to look at, as a file (CSV)</FileLink>
          </p>
        </OnlyWith>
      )}
      <More
        first={pages.before !== null}
        home={address[pages.part]}
        next={olderThan && `${address[pages.part]}${pages.part === 'others' ? '&' : '?'}before=${olderThan}`}
        label="Pages of payments"
        words="Older payments"
      />
    </Panel>
  );
}

const address = { 'to-do': href('/staff/payments'), others: `${href('/staff/payments')}?show=late` };
const allWell = {
  'to-do': 'Every payment has an enrolment. None of the last 90 days is still too small or too large.',
  others: 'Every other payment of the last 90 days came in time, and before its places were cancelled.',
};

/** Leads to the next page of a list, and back to its first. */
function More({
  first,
  home = href('/staff/payments'),
  next,
  label,
  words,
}: {
  first: boolean;
  home?: string;
  next: string | null | 0;
  label: string;
  words: string;
}) {
  if (!first && !next) return null;
  return (
    <nav aria-label={label} className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
      {first && <TextLink to={home}>Back to the first page</TextLink>}
      {next && <TextLink to={next}>{words}</TextLink>}
    </nav>
  );
}

function Assign({ id, form }: { id: number; form: FormState }) {
  const typed = form.values.payment === String(id) ? form : null;
  return (
    <ActForm
      act="assign"
      id={null}
      form={form}
      needs="money:record"
      className="mt-1 flex gap-2"
      carries={{ payment: id }}
    >
      <label className="min-w-0 grow">
        <span className="sr-only">Reference or invoice number</span>
        <input
          id={typed ? 'to' : undefined}
          name="to"
          placeholder="BB-7KQ2MX"
          defaultValue={typed?.values.to ?? ''}
          aria-invalid={typed?.errors.to ? true : undefined}
          className={field}
        />
      </label>
      <SendButton>Assign</SendButton>
    </ActForm>
  );
}

/** Money that is owed to buyers, a page of it. */
export function Refunds({ shown: { refunds, refundsAfter, pages } }: { shown: Data }) {
  return (
    <Panel title="Refunds to be sent">
      <Rows
        label="Refunds to be sent"
        rows={refunds}
        keyOf={({ reference }) => reference}
        columns={columns}
        roomy
        none={<Words>We owe nobody a refund.</Words>}
      >
        {({ reference, buyer, amount, sources, failed }) => (
          <>
            <div>
              <p className="tabular text-base font-bold">{amount}</p>
              {failed && <p className="font-semibold text-fault">A refund failed before</p>}
            </div>
            <div className="min-w-0">
              <EnrolmentLink reference={reference} />
              <p className="break-words">{buyer}</p>
            </div>
            <div className="min-w-0">
              <p className="text-mute">Send it to where the money came from:</p>
              {sources.map(({ id, text }) => (
                <p key={id} className="break-words">
                  {text}
                </p>
              ))}
            </div>
          </>
        )}
      </Rows>
      <More
        first={pages.refundsAfter !== null}
        next={refundsAfter && `?refunds-after=${refundsAfter}`}
        label="Pages of refunds"
        words="More refunds"
      />
    </Panel>
  );
}

/** Why numbers of documents are missing. */
export function Skipped({ skipped }: { skipped: Data['skipped'] }) {
  if (skipped.length === 0) return null;
  return (
    <Panel title="Numbers without a document">
      <p className="mb-3 max-w-prose">
        We restored the database from a backup. We had used these numbers since that backup, so no other document gets
        them. The sent emails have the documents; enter their enrolments again.
      </p>
      <Rows label="Numbers without a document" rows={skipped} keyOf={({ first }) => first} columns="text-sm">
        {({ first, last, at }) => (
          <p>
            <b className="tabular">{first === last ? first : `${first} to ${last}`}</b>{' '}
            <span className="text-mute">skipped {at}</span>
          </p>
        )}
      </Rows>
    </Panel>
  );
}
