import type { ReactNode } from 'react';
import { Form, href, useNavigation } from 'react-router';
import { ActFields, Panel, TextLink, Words } from '#app/routes/staff/frame/parts.tsx';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import type { ShownMoney } from './shown-money.server.ts';

type Data = ShownMoney & { pages: { before: number | null; refundsAfter: number | null } };

/** A row of these lists, and the list. */
export const row =
  'grid grid-cols-[minmax(0,1fr)] gap-x-5 gap-y-2 border-b border-line px-4 py-3 text-sm last:border-b-0 md:grid-cols-[11rem_minmax(0,1fr)_minmax(0,18rem)]';
export const rows = 'overflow-hidden rounded-control border border-line bg-card';

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

/** Lines of bank statements that took money away, for staff to say what each was. */
export function Outgoing({ outgoing, form }: { outgoing: Data['outgoing']; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  if (outgoing.length === 0) return null;
  return (
    <Panel title="Money that went out">
      <p className="mb-3 max-w-prose">
        These lines of a bank statement name an enrolment. When the bank took a payment back, record it: the invoice is
        open again. When it is a refund that is recorded already, set the line aside.
      </p>
      <ul aria-label="Money that went out" className={rows}>
        {outgoing.map(({ id, day, amount, words, reference, refunded }) => (
          <li key={id} className={row}>
            <Moved day={day} amount={amount} words={words} />
            <div>
              {reference && <EnrolmentLink reference={reference} />}
              {refunded && <p className="text-mute">A refund of this amount was recorded on {refunded}.</p>}
              <Form method="post" preventScrollReset className="mt-2 flex flex-wrap gap-2">
                <ActFields form={form} act="line" />
                <input type="hidden" name="line" value={id} />
                {reference && (
                  <button type="submit" name="as" value="taken-back" disabled={sending} className={button.quiet}>
                    The bank took it back
                  </button>
                )}
                <button type="submit" name="as" value="dismissed" disabled={sending} className={button.quiet}>
                  Set aside
                </button>
              </Form>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Payments for a person, a page of them. */
export function Odd({ shown: { odd, olderThan, pages }, form }: { shown: Data; form: FormState }) {
  const none = pages.before ? 'There are no more.' : allWell;
  return (
    <Panel title="Payments to look at">
      {odd.length === 0 ? (
        <Words>{none}</Words>
      ) : (
        <ul aria-label="Payments to look at" className={rows}>
          {odd.map(({ id, day, amount, words, why, reference, balance }) => (
            <li key={id} className={row}>
              <Moved
                day={day}
                amount={<TextLink to={href('/staff/payments/:id', { id: String(id) })}>{amount}</TextLink>}
                words={words}
              />
              <div>
                <p className="font-semibold">{why}</p>
                {reference ? (
                  <p>
                    <EnrolmentLink reference={reference} /> {balance && <span className="text-mute">{balance}</span>}
                  </p>
                ) : (
                  <Assign id={id} form={form} />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <More
        first={pages.before !== null}
        next={olderThan && `?before=${olderThan}`}
        label="Pages of payments"
        words="Older payments"
      />
    </Panel>
  );
}

const allWell = 'Every payment of the last 90 days has its enrolment, and came once, in time and in full.';

/** Leads to the next page of a list, and back to its first. */
function More({
  first,
  next,
  label,
  words,
}: {
  first: boolean;
  next: string | null | 0;
  label: string;
  words: string;
}) {
  if (!first && !next) return null;
  return (
    <nav aria-label={label} className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
      {first && <TextLink to={href('/staff/payments')}>Back to the first page</TextLink>}
      {next && <TextLink to={next}>{words}</TextLink>}
    </nav>
  );
}

function Assign({ id, form }: { id: number; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  const typed = form.values.payment === String(id) ? form : null;
  return (
    <Form method="post" preventScrollReset className="mt-1 flex gap-2">
      <ActFields form={form} act="assign" />
      <input type="hidden" name="payment" value={id} />
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
      <button type="submit" disabled={sending} className={button.quiet}>
        Assign
      </button>
    </Form>
  );
}

/** Money that is owed to buyers, a page of it. */
export function Refunds({ shown: { refunds, refundsAfter, pages } }: { shown: Data }) {
  return (
    <Panel title="Refunds to be sent">
      {refunds.length === 0 ? (
        <Words>No money is owed to anybody.</Words>
      ) : (
        <ul aria-label="Refunds to be sent" className={rows}>
          {refunds.map(({ reference, buyer, amount, sources, failed }) => (
            <li key={reference} className={row}>
              <div>
                <p className="tabular text-base font-bold">{amount}</p>
                {failed && <p className="font-semibold text-fault">A refund failed before</p>}
              </div>
              <div className="min-w-0">
                <EnrolmentLink reference={reference} />
                <p className="break-words">{buyer}</p>
              </div>
              <div className="min-w-0">
                <p className="text-mute">To where the money came from:</p>
                {sources.map(({ id, text }) => (
                  <p key={id} className="break-words">
                    {text}
                  </p>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
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
    <Panel title="Numbers that belong to no document">
      <p className="mb-3 max-w-prose">
        The database was restored from a backup. These numbers had been given out since that backup, so no other
        document gets them. The documents are in the mail that was sent; the enrolments in it have to be entered again.
      </p>
      <ul aria-label="Numbers that belong to no document" className={rows}>
        {skipped.map(({ first, last, at }) => (
          <li key={first} className="border-b border-line px-4 py-3 text-sm last:border-b-0">
            <b className="tabular">{first === last ? first : `${first} to ${last}`}</b>{' '}
            <span className="text-mute">skipped {at}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
