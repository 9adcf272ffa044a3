-- What is due when (P39), reminders of it, receipts, and where Stripe sends a buyer back to.

-- What was paid for an enrolment less what went back, in cents.
create function paid_for(wanted bigint) returns bigint language sql stable as $$
  select coalesce((select sum(amount_cents) from payments where enrolment_id = wanted), 0)
    - coalesce((select sum(refund.amount_cents) from refunds refund join payments payment on payment.id = refund.payment_id
      where payment.enrolment_id = wanted and refund.state = 'sent'), 0)
$$;

-- The tax invoices of an enrolment of which something is open, with when they are due (P39). Everything that says what
-- is due asks it: pages, mails, reminders, and lists for staff. A line follows the place that its place was moved to.
-- Money goes to what is due first, then to what is due next, then to the rest.
create function open_invoices(wanted bigint) returns table (
  tax_invoice_id bigint,
  number integer,
  -- The number of the first invoice for it: an invoice that replaces another is for the same debt.
  debt integer,
  printed_due_on date,
  -- Null while nothing of it is due: a session is not confirmed, or was cancelled and its buyer chooses.
  due_on date,
  open_cents bigint,
  due_cents bigint,
  -- Of what is due, what is for places that are not cancelled: only that is asked for by the program itself.
  asked_cents bigint,
  -- For places in a session that the academy cancelled, while their buyer chooses.
  choosing_cents bigint,
  undecided boolean,
  -- Of the places it is for that are not cancelled.
  first_day date
) language sql stable as $$
  with recursive chain as (
    select id as invoiced_as, id as place_id from places where enrolment_id = wanted
    union all
    select invoiced_as, later.id from chain join places later on later.transferred_from = chain.place_id
  ), debts as (
    select id, facts ->> 'number' as label, invoice.number as debt from tax_invoices invoice
      where enrolment_id = wanted and facts ->> 'replaces' is null
    union all
    select invoice.id, invoice.facts ->> 'number', debts.debt from debts
      join tax_invoices invoice on invoice.enrolment_id = wanted and invoice.facts ->> 'replaces' = debts.label
  ), lines as (
    select invoice.id, line.amount_cents - coalesce((
        select sum(credit.amount_cents) from adjustment_note_lines credit
          join adjustment_notes note on note.id = credit.adjustment_note_id
          where note.tax_invoice_id = invoice.id and credit.invoice_position = line.position), 0) as left_cents,
      case
        when place.state = 'cancelled' then 2
        when session.state = 'cancelled' and place.state = 'active' then 3
        else 1
      end as kind,
      place.state = 'active' and session.state = 'tentative' as undecided,
      session.confirmed_on, coalesce(session.starts_on, place.guided_from) as first_day
    from tax_invoices invoice
      join tax_invoice_lines line on line.tax_invoice_id = invoice.id
      left join chain on chain.invoiced_as = line.place_id
        and not exists (select from places later where later.transferred_from = chain.place_id)
      left join places place on place.id = chain.place_id
      left join training_sessions session on session.id = place.training_session_id
    where invoice.enrolment_id = wanted
  ), invoices as (
    select invoice.id, invoice.number, coalesce(debts.debt, invoice.number) as debt,
      (invoice.facts ->> 'dueOn')::date as printed_due_on, is_undecided, lines_first_day,
      case when not is_undecided then greatest((invoice.facts ->> 'dueOn')::date, lines_confirmed_on) end as due_on
    from tax_invoices invoice
      left join debts on debts.id = invoice.id
      join (
        select id, coalesce(bool_or(undecided), false) as is_undecided,
          max(confirmed_on) filter (where kind = 1) as lines_confirmed_on,
          min(first_day) filter (where kind = 1) as lines_first_day
        from lines where left_cents > 0 group by id
      ) as its on its.id = invoice.id
  ), parts as (
    select invoices.id, kind, case when kind <> 3 then due_on end as part_due_on, printed_due_on, number,
      sum(left_cents) as left_cents
    from lines join invoices on invoices.id = lines.id
    where left_cents > 0
    group by invoices.id, kind, due_on, printed_due_on, number
  ), summed as (
    select parts.*, sum(left_cents) over (order by part_due_on nulls last, printed_due_on, number, kind) as up_to_it
    from parts
  ), opened as (
    select summed.id, kind, part_due_on, greatest(0, least(left_cents, up_to_it - paid_for(wanted)))::bigint as cents
    from summed
  ), totals as (
    select id, sum(cents)::bigint as open_cents,
      coalesce(sum(cents) filter (where part_due_on is not null), 0)::bigint as due_cents,
      coalesce(sum(cents) filter (where part_due_on is not null and kind = 1), 0)::bigint as asked_cents,
      coalesce(sum(cents) filter (where kind = 3), 0)::bigint as choosing_cents
    from opened group by id
  )
  select invoices.id, number, debt, printed_due_on, case when due_cents > 0 then due_on end, open_cents, due_cents,
    asked_cents, choosing_cents, is_undecided, lines_first_day
  from totals join invoices on invoices.id = totals.id
  where open_cents > 0
  order by case when due_cents > 0 then due_on end nulls last, printed_due_on, number
$$;

-- The reminders of debts that went out. Mails are erased after some weeks; this remembers for as long as the enrolment.
create table payment_reminders (
  enrolment_id bigint not null references enrolments on delete cascade,
  -- As in open_invoices.
  debt integer not null,
  -- Days from the day it is due; null for one that staff sent before the first of them.
  step smallint check (step in (-3, 3, 10)),
  sent_on date not null,
  -- The mail may be erased.
  mail_id uuid not null,
  primary key (debt, sent_on)
);
create index on payment_reminders (enrolment_id);

-- Those whose mails are kept still: `payment-reminder:12:2025-09-22:3` names invoice, day and step.
insert into payment_reminders (enrolment_id, debt, step, sent_on, mail_id)
select invoice.enrolment_id, invoice.number, split_part(dedupe_key, ':', 4)::smallint,
  (mails.queued_at at time zone 'Australia/Brisbane')::date, mails.id
from mails join tax_invoices invoice on invoice.id = split_part(dedupe_key, ':', 2)::bigint
where mails.dedupe_key ~ '^payment-reminder:\d+:\d{4}-\d\d-\d\d:-?\d+$' and invoice.enrolment_id is not null
on conflict do nothing;

-- Money that its buyer has not been told of by mail. A row goes away in the transaction that queues the mail.
create table money_to_tell (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  -- Withdrawn: the payment was put on this enrolment, and taken off again.
  kind text not null check (kind in ('payment', 'refund', 'withdrawn')),
  payment_id bigint not null references payments on delete cascade,
  refund_id bigint references refunds on delete cascade,
  amount_cents integer not null check (amount_cents > 0),
  check ((kind = 'refund') = (refund_id is not null))
);
create index on money_to_tell (enrolment_id);
create index on money_to_tell (payment_id);

create function tell_of_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.enrolment_id is not null then
    delete from money_to_tell where payment_id = new.id and enrolment_id = old.enrolment_id and kind = 'payment';
    if not found then
      -- None when the enrolment itself is being erased.
      insert into money_to_tell (enrolment_id, kind, payment_id, amount_cents)
        select id, 'withdrawn', new.id, new.amount_cents from enrolments where id = old.enrolment_id;
    end if;
  end if;
  if new.enrolment_id is not null then
    delete from money_to_tell where payment_id = new.id and enrolment_id = new.enrolment_id and kind = 'withdrawn';
    if not found then
      insert into money_to_tell (enrolment_id, kind, payment_id, amount_cents)
        values (new.enrolment_id, 'payment', new.id, new.amount_cents);
    end if;
  end if;
  return null;
end $$;
create trigger tell_of_payment after insert on payments for each row execute function tell_of_payment();
create trigger tell_of_assignment after update of enrolment_id on payments
  for each row when (old.enrolment_id is distinct from new.enrolment_id) execute function tell_of_payment();

create function tell_of_refund() returns trigger language plpgsql as $$
begin
  insert into money_to_tell (enrolment_id, kind, payment_id, refund_id, amount_cents)
    select enrolment_id, 'refund', id, new.id, new.amount_cents from payments
      where id = new.payment_id and enrolment_id is not null;
  return null;
end $$;
create trigger tell_of_refund after insert on refunds for each row when (new.state = 'sent')
  execute function tell_of_refund();

-- Where Stripe sends the buyer back to: a link that shows this payment and nothing else, by its hash.
alter table card_checkouts add column return_hash text unique;

-- Card payments whose event names another enrolment than the checkout it is of, or a checkout that was never made.
create table doubtful_card_payments (
  payment_id bigint primary key references payments on delete cascade,
  -- As Stripe told them.
  key text not null,
  reference text,
  -- Of the enrolment whose checkout has the key; null when there is none.
  key_reference text
);
