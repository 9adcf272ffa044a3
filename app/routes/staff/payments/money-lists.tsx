import type { ReactNode } from 'react';
import { href } from 'react-router';
import type { MoneyPages } from '#app/features/money/money-page.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, SendButton } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { ShownMoney } from './shown-money.server.ts';

export type MoneyData = ShownMoney & { pages: MoneyPages };

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

export function EnrolmentLink({ reference }: { reference: string }) {
  return <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>;
}

/** Outgoing lines of bank statements, for staff to settle. */
export function Outgoing({ outgoing, form }: { outgoing: MoneyData['outgoing']; form: FormState }) {
  if (outgoing.length === 0) return null;
  return (
    <Panel title="Money that went out">
      <p className="mb-3 max-w-prose">
        These lines of a bank statement name an enrolment. When the bank took a payment back, record it: the invoice is
        open again. If you have already recorded it as a refund, set the line aside.
      </p>
      <Rows label="Money that went out" rows={outgoing} keyOf={({ id }) => id} columns={columns} roomy>
        {({ id, day, amount, words, reference, refundedOn }) => (
          <>
            <Moved day={day} amount={amount} words={words} />
            <div>
              {reference && <EnrolmentLink reference={reference} />}
              {refundedOn && (
                <p className="text-mute">A refund of this amount is recorded for {formatDay(refundedOn)}.</p>
              )}
              <ActForm
                act="line"
                id={null}
                form={form}
                needs="money:record"
                className="mt-2 flex flex-wrap gap-2"
                carries={{ line: id, refunded: refundedOn ?? '' }}
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

/** Leads to the next page of a list, and back to its first. */
export function More({
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

/** Money that is owed to buyers, a page of it. */
export function Refunds({ shown: { refunds, refundsAfter, pages } }: { shown: MoneyData }) {
  return (
    <>
      <Rows
        label="Refunds to send"
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
        home={`${href('/staff/payments')}?show=refunds`}
        next={refundsAfter && `?show=refunds&refunds-after=${refundsAfter}`}
        label="Pages of refunds"
        words="More refunds"
      />
    </>
  );
}

/** Why numbers of documents are missing. */
export function Skipped({ skipped }: { skipped: MoneyData['skipped'] }) {
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
