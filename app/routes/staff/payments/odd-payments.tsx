import { href } from 'react-router';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, OnlyWith, SendButton } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { Tabs } from '#app/ui/staff/page-head.tsx';
import { FileLink, Panel, TextLink, Words } from '#app/ui/staff/typography.tsx';
import { columns, EnrolmentLink, type MoneyData, More, Moved } from './money-lists.tsx';
import { Suggestions } from './suggestions.tsx';

/** Payments for a person, a page of them. */
export function Odd({ shown: { odd, olderThan, pages }, form }: { shown: MoneyData; form: FormState }) {
  const none = pages.before ? 'That’s all.' : allWell[pages.part];
  return (
    <Panel title="Payments to look at">
      <Tabs
        label="Payments to look at"
        tabs={[
          { text: 'To do', to: address['to-do'], current: pages.part === 'to-do' },
          { text: 'Late, or after a cancellation', to: address.others, current: pages.part === 'others' },
          { text: 'Set aside', to: address.aside, current: pages.part === 'aside' },
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
        {({ id, day, amount, words, why, isAside, reference, todo, suggestions }) => (
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
              ) : isAside ? null : (
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
        next={olderThan && `${address[pages.part]}${pages.part === 'to-do' ? '?' : '&'}before=${olderThan}`}
        label="Pages of payments"
        words="Older payments"
      />
    </Panel>
  );
}

const address = {
  'to-do': href('/staff/payments'),
  others: `${href('/staff/payments')}?show=late`,
  aside: `${href('/staff/payments')}?show=aside`,
};
const allWell = {
  'to-do': 'Every payment has an enrolment. None of the last 90 days is still too small or too large.',
  others: 'Every other payment of the last 90 days came in time, and before its places were cancelled.',
  aside: 'Nobody set a payment aside in the last 90 days. You can do it on the page of a payment that is not for us.',
};

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
