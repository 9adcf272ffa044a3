-- Numbers without gaps (P30): the row is locked until the document is stored.
create table document_numbers (
  kind text primary key check (kind in ('tax-invoice', 'adjustment-note')),
  last integer not null
);

insert into document_numbers values ('tax-invoice', 0), ('adjustment-note', 0);

-- Numbers of documents that were given out before a restore, and belong to no document any more.
create table skipped_numbers (
  kind text not null references document_numbers (kind),
  first integer not null,
  last integer not null,
  skipped_at timestamptz not null,
  check (first <= last),
  primary key (kind, first)
);

create table tax_invoices (
  id bigint generated always as identity primary key,
  number integer not null unique,
  -- Kept when its enrolment's people are erased: invoices are kept for as long as the law asks.
  enrolment_id bigint references enrolments on delete set null,
  issued_on date not null,
  total_cents integer not null check (total_cents >= 0),
  gst_cents integer not null check (gst_cents >= 0),
  -- Everything the document shows; the same facts give the same bytes.
  facts jsonb not null,
  created_at timestamptz not null
);
create index on tax_invoices (enrolment_id);
create index on tax_invoices (issued_on, number);

-- Before a further invoice, which may be due sooner than those that are paid.
create function allocate_before_invoice() returns trigger language plpgsql as $$
begin
  if exists (select from tax_invoices where enrolment_id = new.enrolment_id)
    and not exists (select from payment_allocations where enrolment_id = new.enrolment_id) then
    perform allocate_payments(new.enrolment_id);
  end if;
  return new;
end $$;

create trigger allocate_before_invoice before insert on tax_invoices for each row
  when (new.facts ->> 'replaces' is null) execute function allocate_before_invoice();

create table tax_invoice_lines (
  tax_invoice_id bigint not null references tax_invoices,
  position integer not null,
  place_id bigint,
  description text not null,
  amount_cents integer not null check (amount_cents >= 0),
  gst_cents integer not null check (gst_cents >= 0),
  primary key (tax_invoice_id, "position")
);
create index on tax_invoice_lines (place_id);

create trigger only_added_to
  before delete or update or truncate on tax_invoice_lines
  for each statement execute function refuse_change();

create table adjustment_notes (
  id bigint generated always as identity primary key,
  number integer not null unique,
  tax_invoice_id bigint not null references tax_invoices,
  issued_on date not null,
  reason text not null,
  -- By how much the price and its GST fall.
  total_cents integer not null check (total_cents > 0),
  gst_cents integer not null check (gst_cents >= 0),
  facts jsonb not null,
  created_at timestamptz not null
);
create index on adjustment_notes (tax_invoice_id);
create index on adjustment_notes (issued_on, number);

create trigger only_added_to
  before delete or update or truncate on adjustment_notes
  for each statement execute function refuse_change();

create table adjustment_note_lines (
  adjustment_note_id bigint not null references adjustment_notes,
  position integer not null,
  -- The line of the invoice that it lowers.
  invoice_position integer not null,
  place_id bigint,
  amount_cents integer not null check (amount_cents > 0),
  gst_cents integer not null check (gst_cents >= 0),
  primary key (adjustment_note_id, "position")
);

create trigger only_added_to
  before delete or update or truncate on adjustment_note_lines
  for each statement execute function refuse_change();

-- Money that came in. What is owed is computed: invoices less adjustment notes less payments plus refunds (P39).
create table payments (
  id bigint generated always as identity primary key,
  -- Null: not matched to an enrolment yet.
  enrolment_id bigint references enrolments on delete set null,
  amount_cents integer not null check (amount_cents > 0),
  received_on date not null,
  method text not null check (method in ('bank', 'card', 'other')),
  -- What tells it from every other, such as the line of a bank statement: the same is recorded once.
  source text not null unique,
  -- The words of the payer, such as the reference on the transfer.
  words text,
  recorded_at timestamptz not null,
  recorded_by bigint references people,
  -- Money in another currency is owed on no enrolment.
  currency text not null default 'AUD' check (currency ~ '^[A-Z]{3}$'),
  -- A payment that was divided is several rows: the one that arrived, and parts of it. Together they are what arrived.
  part_of bigint references payments,
  -- Of a payment with parts, what arrived; null while it has none.
  arrived_cents integer check (arrived_cents > 0),
  -- A line of a bank statement becomes a payment, also a payout of Stripe or a transfer between the academy's own accounts.
  -- Staff set such a payment aside: it was no payment for the academy, and counts in no figure (P83).
  set_aside_at timestamptz,
  set_aside_by bigint references people,
  set_aside_why text,
  check (currency = 'AUD' or enrolment_id is null),
  check (part_of is null or arrived_cents is null),
  check (set_aside_at is null or (enrolment_id is null and part_of is null and set_aside_by is not null
      and set_aside_why is not null))
);
create index on payments (enrolment_id);
-- Lists of payments for staff: those without an enrolment, and the latest.
create index on payments (id) where enrolment_id is null;
create index on payments (recorded_at);
create index on payments (part_of) where part_of is not null;
create index on payments (received_on) where method = 'bank';
create index on payments (received_on, id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on payments (recorded_by);
create index on payments (set_aside_by) where set_aside_by is not null;

-- A payment that is divided, or put together again, changes its amounts: whoever was told of another amount is told (P39).
create function tell_of_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.enrolment_id is not null then
    delete from money_to_tell where payment_id = new.id and enrolment_id = old.enrolment_id and kind = 'payment';
    if not found then
      -- None when the enrolment itself is being erased.
      insert into money_to_tell (enrolment_id, kind, payment_id, amount_cents)
        select id, 'withdrawn', new.id, old.amount_cents from enrolments where id = old.enrolment_id;
    end if;
  end if;
  if new.enrolment_id is not null then
    delete from money_to_tell where payment_id = new.id and enrolment_id = new.enrolment_id and kind = 'withdrawn'
      and amount_cents = new.amount_cents;
    if not found then
      insert into money_to_tell (enrolment_id, kind, payment_id, amount_cents)
        values (new.enrolment_id, 'payment', new.id, new.amount_cents);
    end if;
  end if;
  return null;
end $$;

create function payment_parts_add_up() returns trigger language plpgsql as $$
declare
  whole bigint := coalesce(new.part_of, new.id, old.part_of, old.id);
begin
  if exists (select from payments root where root.id = whole and coalesce(arrived_cents, amount_cents) <>
      root.amount_cents + (select coalesce(sum(amount_cents), 0) from payments part where part.part_of = whole)) then
    raise exception 'the parts of payment % do not add up to what arrived', whole using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- A part that is taken away: what was told of it is withdrawn with what arrived.
create function tell_of_removed_part() returns trigger language plpgsql as $$
begin
  if not exists (select from money_to_tell
    where payment_id = old.id and enrolment_id = old.enrolment_id and kind = 'payment')
  then
    insert into money_to_tell (enrolment_id, kind, payment_id, amount_cents)
      values (old.enrolment_id, 'withdrawn', old.part_of, old.amount_cents);
  end if;
  return old;
end $$;

create trigger tell_of_payment after insert on payments for each row execute function tell_of_payment();
create constraint trigger payment_part_made after insert on payments deferrable initially deferred
  for each row when (new.part_of is not null) execute function payment_parts_add_up();
create constraint trigger payment_part_removed after delete on payments deferrable initially deferred
  for each row when (old.part_of is not null) execute function payment_parts_add_up();
create constraint trigger payment_part_changed after update on payments deferrable initially deferred for each row
  when (coalesce(old.part_of, new.part_of, old.arrived_cents, new.arrived_cents) is not null
    and (old.amount_cents, old.part_of, old.arrived_cents) is distinct from (new.amount_cents, new.part_of, new.arrived_cents))
  execute function payment_parts_add_up();
create trigger tell_of_assignment after update of enrolment_id, amount_cents on payments for each row
  when ((old.enrolment_id, old.amount_cents) is distinct from (new.enrolment_id, new.amount_cents))
  execute function tell_of_payment();
create trigger tell_of_removed_part before delete on payments for each row
  when (old.part_of is not null and old.enrolment_id is not null) execute function tell_of_removed_part();

create table refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments,
  enrolment_id bigint references enrolments on delete set null,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('sent', 'failed')),
  reason text not null,
  source text not null unique,
  recorded_at timestamptz not null,
  recorded_by bigint references people,
  -- A refund counts on the day on which it was sent, which may be before it was recorded.
  sent_on date not null
);
create index on refunds (payment_id);
create index on refunds (enrolment_id);
create index on refunds (recorded_at, id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on refunds (recorded_by);
create index on refunds (sent_on, id);

-- What was paid for an enrolment less what went back, in cents.
create function paid_for(wanted bigint) returns bigint language sql stable as $$
  select coalesce((select sum(amount_cents) from payments where enrolment_id = wanted), 0)
    - coalesce((select sum(refund.amount_cents) from refunds refund join payments payment on payment.id = refund.payment_id
      where payment.enrolment_id = wanted and refund.state = 'sent'), 0)
$$;

create function tell_of_refund() returns trigger language plpgsql as $$
begin
  insert into money_to_tell (enrolment_id, kind, payment_id, refund_id, amount_cents)
    select enrolment_id, 'refund', id, new.id, new.amount_cents from payments
      where id = new.payment_id and enrolment_id is not null;
  return null;
end $$;

create trigger tell_of_refund after insert on refunds for each row when (new.state = 'sent')
  execute function tell_of_refund();

-- Days and amounts by which a debt is paid, as agreed with the buyer. A debt has one agreement at a time.
create table instalments (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  -- As in open_invoices: the number of the first invoice for it.
  debt integer not null,
  position smallint not null,
  due_on date not null,
  amount_cents integer not null check (amount_cents > 0),
  agreed_at timestamptz not null,
  agreed_by bigint references people,
  -- When another agreement, or none, took its place.
  ended_at timestamptz
);
create unique index on instalments (debt, "position") where ended_at is null;
create index on instalments (enrolment_id);
create index on instalments (due_on) where ended_at is null;
create index on instalments (agreed_by);

-- The reminders of debts that went out. Mails are erased after some weeks; this remembers for as long as the enrolment.
create table payment_reminders (
  enrolment_id bigint not null references enrolments on delete cascade,
  -- As in open_invoices.
  debt integer not null,
  -- Null: of the whole debt.
  instalment_id bigint references instalments on delete cascade,
  -- Days from the day it is due; null for one that staff sent before the first of them.
  step smallint check (step in (-3, 3, 10)),
  sent_on date not null,
  -- The mail may be erased.
  mail_id uuid not null,
  unique nulls not distinct (debt, instalment_id, sent_on)
);
create index on payment_reminders (enrolment_id);
create index on payment_reminders (instalment_id) where instalment_id is not null;

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

-- Lines of bank statements that were recorded. Money that came in has a payment; money that went out and names an
-- enrolment waits for staff. Payments recorded before this table have the line's key as their source.
create table bank_lines (
  id bigint generated always as identity primary key,
  day date not null,
  amount_cents integer not null check (amount_cents <> 0),
  -- The running balance after it, when a file had one.
  balance_cents bigint,
  -- Hashes of the other cells of the line, in their order.
  cells text[] not null,
  payment_id bigint references payments on delete cascade,
  -- Of money that went out.
  words text,
  enrolment_id bigint references enrolments on delete set null,
  state text check (state in ('open', 'taken-back', 'dismissed')),
  recorded_at timestamptz not null,
  check ((amount_cents > 0) = (payment_id is not null)),
  check ((amount_cents < 0) = (state is not null))
);
create index on bank_lines (day, amount_cents);
create index on bank_lines (payment_id);
create index on bank_lines (enrolment_id) where enrolment_id is not null;
create index on bank_lines (id) where state = 'open';

-- Files between their preview and their recording, as they came; erased when recorded, or after a day.
create table statement_uploads (
  key uuid primary key,
  bytes bytea not null,
  uploaded_at timestamptz not null,
  uploaded_by bigint not null references people
);
create index on statement_uploads (uploaded_at);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on statement_uploads (uploaded_by);

create table card_checkouts (
  id bigint generated always as identity primary key,
  -- Names it at Stripe, whose answer may never have arrived here.
  key uuid not null unique,
  enrolment_id bigint not null references enrolments on delete cascade,
  -- What was owed when it was made; once something else is owed, it is ended.
  amount_cents integer not null check (amount_cents > 0),
  stripe_id text unique,
  -- Where the buyer pays, while that is possible.
  url text,
  state text not null check (state in ('making', 'open', 'processing', 'paid', 'failed', 'expired')),
  made_at timestamptz not null,
  expires_at timestamptz not null,
  -- Where Stripe sends the buyer back to: a link that shows this payment and nothing else, by its hash.
  return_hash text unique,
  check (url is null or state = 'open')
);
create index on card_checkouts (enrolment_id);
create index on card_checkouts (id) where state in ('making', 'open');

-- Refunds that Stripe is to send or has sent.
create table card_refunds (
  refund_id bigint primary key references refunds,
  -- Null until Stripe has taken it.
  stripe_id text unique,
  -- Why it failed, or why Stripe has not taken it yet.
  fault text,
  tried_at timestamptz not null
);

-- Payments that cardholders took back through their bank.
create table card_disputes (
  stripe_id text primary key,
  payment_id bigint not null references payments,
  -- The money that was taken back; null while the bank only asks.
  refund_id bigint references refunds,
  amount_cents integer not null,
  status text not null,
  reason text not null,
  -- By Stripe's clock.
  opened_at timestamptz not null,
  changed_at timestamptz not null
);
create index on card_disputes (payment_id);

-- Card payments whose event names another enrolment than the checkout it is of, or a checkout that was never made.
create table doubtful_card_payments (
  payment_id bigint primary key references payments on delete cascade,
  -- As Stripe told them.
  key text not null,
  reference text,
  -- Of the enrolment whose checkout has the key; null when there is none.
  key_reference text
);

-- What arrived about a payment that is not recorded yet: events come in any order.
create table waiting_card_events (
  id text primary key,
  payment_intent text not null,
  event jsonb not null,
  received_at timestamptz not null
);
create index on waiting_card_events (payment_intent);

-- The accountant gets each document once, in files of their own (P83); reports read documents and money by their day (P85).
create table accountant_files (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('tax-invoice', 'adjustment-note')),
  -- A file has every document of its kind from one number to another.
  first_number integer not null,
  last_number integer not null,
  documents integer not null check (documents between 1 and 500),
  total_cents bigint not null,
  gst_cents bigint not null,
  -- The account of each line.
  account_code text not null,
  -- Numbers of documents whose GST the accountant's program computes as another amount, a cent or two away.
  gst_differs text[] not null,
  made_at timestamptz not null,
  made_by bigint references people on delete set null,
  -- When it was first downloaded.
  taken_at timestamptz,
  check (first_number <= last_number),
  exclude using gist (int4range(first_number, last_number, '[]') with &&) where ((kind = 'tax-invoice')),
  exclude using gist (int4range(first_number, last_number, '[]') with &&) where ((kind = 'adjustment-note'))
);
create index on accountant_files (made_by);

-- What was paid of each debt of an enrolment; written once a second one is invoiced, because all is for the first one
-- until then. A debt is named by the number of its first invoice, as instalments name theirs.
create table payment_allocations (
  enrolment_id bigint not null references enrolments on delete cascade,
  debt integer not null,
  cents bigint not null check (cents >= 0),
  primary key (enrolment_id, debt)
);

-- What is open of each invoice, and when it is due. A place that was moved to a tentative course date is a part of its own, which is due on no day.
create function open_invoices(wanted bigint) returns table (
  tax_invoice_id bigint,
  number integer,
  -- The number of the first invoice for it: an invoice that replaces another is for the same debt.
  debt integer,
  printed_due_on date,
  -- Null while nothing of it is due: a course date is not confirmed, or was cancelled and its buyer chooses. Of an invoice on
  -- which one place was moved to such a course date, the rest is due.
  due_on date,
  open_cents bigint,
  due_cents bigint,
  -- Of what is due, what is for places that are not cancelled: only that is asked for by the program itself.
  asked_cents bigint,
  -- For places in a course date that the academy cancelled, while their buyer chooses.
  choosing_cents bigint,
  undecided boolean,
  -- Of the places it is for that are not cancelled, and do not wait after a move.
  first_day date,
  -- Null without an agreement, and for what was due before the first instalment.
  instalment_id bigint
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
        when course_date.state = 'cancelled' and place.state = 'active' then 3
        when course_date.state = 'tentative' and place.state = 'active' and place.transferred_from is not null then 4
        else 1
      end as kind,
      place.state = 'active' and course_date.state = 'tentative' as undecided,
      -- Others on the invoice do not wait for a place that was moved.
      place.transferred_from is null as holds_all,
      -- Cancelled before it was confirmed, while the buyer chooses.
      place.state = 'active' and course_date.state = 'cancelled' and course_date.confirmed_on is null
        and course_date.decided_by is not null as never_decided,
      coalesce(course_date.starts_on, place.guided_from) as first_day
    from tax_invoices invoice
      join tax_invoice_lines line on line.tax_invoice_id = invoice.id
      left join chain on chain.invoiced_as = line.place_id
        and not exists (select from places later where later.transferred_from = chain.place_id)
      left join places place on place.id = chain.place_id
      left join course_dates course_date on course_date.id = place.course_date_id
    where invoice.enrolment_id = wanted
  ), decisions as (
    -- Since when nothing on an invoice waits for a decision any more: each course date was confirmed, or its place was
    -- cancelled or moved before that. Whoever moves off a course date that the academy cancelled decides on that day.
    select line.tax_invoice_id as id, max(case when moved_off_cancelled then ended_on
        else least(course_date.confirmed_on, ended_on) end) as decided_on
      from tax_invoices invoice
        join tax_invoice_lines line on line.tax_invoice_id = invoice.id
        join chain on chain.invoiced_as = line.place_id
        join places place on place.id = chain.place_id
        join course_dates course_date on course_date.id = place.course_date_id
        cross join lateral (
          select (place.cancelled_at at time zone 'Australia/Brisbane')::date as ended_on,
            course_date.state = 'cancelled' and place.cancelled_why = 'transfer' as moved_off_cancelled) as its
      where invoice.enrolment_id = wanted
        and (course_date.decided_by is not null or course_date.confirmed_on is not null or moved_off_cancelled)
      group by line.tax_invoice_id
  ), invoices as (
    select invoice.id, invoice.number, coalesce(debts.debt, invoice.number) as debt, decided_on,
      (invoice.facts ->> 'dueOn')::date as printed_due_on, is_undecided, lines_first_day,
      case when not all_undecided and not is_never_decided
        then greatest((invoice.facts ->> 'dueOn')::date, decided_on) end as due_on
    from tax_invoices invoice
      left join debts on debts.id = invoice.id
      left join decisions on decisions.id = invoice.id
      join (
        select id, coalesce(bool_or(undecided), false) as is_undecided,
          coalesce(bool_or(undecided and holds_all), false) as all_undecided,
          coalesce(bool_or(never_decided and holds_all), false) as is_never_decided,
          min(first_day) filter (where kind = 1) as lines_first_day
        from lines where left_cents > 0 group by id
      ) as its on its.id = invoice.id
  ), kinds as (
    select invoices.id, kind, sum(left_cents)::bigint as left_cents
    from lines join invoices on invoices.id = lines.id
    where left_cents > 0
    group by invoices.id, kind
  ), spans as (
    -- What is due of an invoice, end to end: first for places that stand.
    select id, kind, sum(left_cents) over its - left_cents as begins, sum(left_cents) over its as ends,
      sum(left_cents) over (partition by id) as total
    from kinds where kind not in (3, 4)
    window its as (partition by id order by kind)
  ), agreed as (
    select invoices.id, instalment.id as instalment_id, instalment.position,
      greatest(instalment.due_on, invoices.decided_on) as agreed_on,
      sum(amount_cents) over from_last as from_it, sum(amount_cents) over from_last - amount_cents as behind_it
    from invoices join instalments instalment on instalment.debt = invoices.debt and instalment.ended_at is null
    window from_last as (partition by invoices.id order by instalment.position desc)
  ), steps as (
    select invoices.id, null::bigint as instalment_id, 0 as step, due_on as step_due_on, due_on as paid_from,
      coalesce((select max(from_it) from agreed where agreed.id = invoices.id), 0) as behind, null::bigint as upto
    from invoices
    union all
    select agreed.id, instalment_id, position, case when due_on is not null then agreed_on end,
      -- Money meets nothing sooner because of an agreement, so that none moves from one invoice to another by it.
      case when due_on is not null then greatest(agreed_on, due_on) end, behind_it, from_it
    from agreed join invoices on invoices.id = agreed.id
  ), parts as (
    -- What a step has of a span: both are laid on the same line, the steps from its end.
    select spans.id, kind, instalment_id, step, step_due_on as part_due_on, paid_from,
      least(ends, greatest(0, total - behind)) - greatest(begins, case when upto is null then 0 else total - upto end)
        as left_cents
    from spans join steps on steps.id = spans.id
    where least(ends, greatest(0, total - behind)) > greatest(begins, case when upto is null then 0 else total - upto end)
    union all
    select id, kind, null, 0, null, null, left_cents from kinds where kind in (3, 4)
  ), laid as (
    -- What was paid of its debt before stays with it, and meets its first parts.
    select parts.*, printed_due_on, number, greatest(0, least(left_cents,
      coalesce(allocation.cents, 0) - (sum(left_cents) over (partition by invoices.debt
        order by paid_from nulls last, number, step, kind) - left_cents))) as allocated
    from parts join invoices on invoices.id = parts.id
      left join payment_allocations allocation
        on allocation.enrolment_id = wanted and allocation.debt = invoices.debt
  ), kept as (
    -- When money went back, what is due last lacks it.
    select laid.*, greatest(0, least(allocated,
      paid_for(wanted) - (sum(allocated) over its_order - allocated))) as kept_cents
    from laid window its_order as (order by paid_from nulls last, printed_due_on, number, step, kind)
  ), summed as (
    select kept.*, left_cents - kept_cents as rest_cents,
      sum(left_cents - kept_cents) over (order by paid_from nulls last, printed_due_on, number, step, kind)
        + sum(kept_cents) over () as up_to_it
    from kept
  ), opened as (
    select summed.id, kind, instalment_id, step, part_due_on,
      greatest(0, least(rest_cents, up_to_it - paid_for(wanted)))::bigint as cents
    from summed
  ), totals as (
    select id, instalment_id, step, sum(cents)::bigint as open_cents,
      min(part_due_on) filter (where cents > 0) as due_on,
      coalesce(sum(cents) filter (where part_due_on is not null), 0)::bigint as due_cents,
      coalesce(sum(cents) filter (where part_due_on is not null and kind = 1), 0)::bigint as asked_cents,
      coalesce(sum(cents) filter (where kind = 3), 0)::bigint as choosing_cents
    from opened group by id, instalment_id, step
  )
  select invoices.id, number, debt, printed_due_on, totals.due_on, open_cents, due_cents, asked_cents, choosing_cents,
    is_undecided, lines_first_day, instalment_id
  from totals join invoices on invoices.id = totals.id
  where open_cents > 0
  order by totals.due_on nulls last, printed_due_on, number, step
$$;

-- Each debt of an enrolment: what is charged for it after notes, and what is paid of that.
create function debts_of(wanted bigint) returns table (debt integer, net_cents bigint, paid_cents bigint)
language sql stable as $$
  with recursive invoices as (
    select id, facts ->> 'number' as label, number as debt from tax_invoices
      where enrolment_id = wanted and facts ->> 'replaces' is null
    union all
    select invoice.id, invoice.facts ->> 'number', invoices.debt from invoices
      join tax_invoices invoice on invoice.enrolment_id = wanted and invoice.facts ->> 'replaces' = invoices.label
  ), nets as (
    select debt, sum(total_cents - coalesce((
      select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0))::bigint as net
    from invoices join tax_invoices invoice using (id)
    group by debt
  )
  select nets.debt, net, greatest(0, least(net, coalesce(allocation.cents, paid_for(wanted))))
  from nets left join payment_allocations allocation
    on allocation.enrolment_id = wanted and allocation.debt = nets.debt
$$;

-- Writes down what is paid of each debt now.
create function allocate_payments(wanted bigint) returns void language sql as $$
  insert into payment_allocations (enrolment_id, debt, cents)
    select wanted, its.debt, its.net_cents - coalesce(
      (select sum(open_cents) from open_invoices(wanted) as open where open.debt = its.debt), 0)
    from debts_of(wanted) as its
    on conflict (enrolment_id, debt) do update set cents = excluded.cents
      where payment_allocations.cents <> excluded.cents
$$;
