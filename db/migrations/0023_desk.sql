-- The pages for staff: forms taken once, holds for quotes, and the order in which enrolments are found.

-- Keys of forms of staff that were taken: the same form is acted on once (P25).
create table desk_forms (
  key uuid primary key,
  taken_at timestamptz not null
);
create index on desk_forms (taken_at);

-- For what quote seats are held: its number or an organisation, no person.
alter table seat_holds
  add column label text,
  add check (label is null or purpose = 'quote');

-- What lists of enrolments are filtered and searched by, one row for each. Only lists read it: what is owed is computed
-- wherever it counts (P39). Triggers write it in the transaction of what it is computed from.
create table enrolment_index (
  enrolment_id bigint primary key references enrolments on delete cascade,
  -- Reference, buyer, attendees and numbers of invoices; punctuation separates words, as in enquiries.
  words tsvector not null,
  balance_cents bigint not null,
  -- When the first invoice falls due that is not paid in full, if the oldest is paid first.
  due_on date
);
create index on enrolment_index using gin (words) with (fastupdate = off);
create index on enrolment_index (due_on, enrolment_id) where balance_cents > 0;
create index on enrolment_index (enrolment_id) where balance_cents > 0;
create index on enrolment_index (enrolment_id) where balance_cents < 0;
create index on places (enrolment_id) where way = 'next-date' and state = 'active';
create index on places (enrolment_id) where choose_by is not null or cancelled_why in ('session', 'lapsed');
create index on places (enrolment_id) where cancelled_why <> 'transfer';

create function index_enrolment(wanted bigint) returns void language plpgsql as $$
begin
  insert into enrolment_index (enrolment_id, words, balance_cents)
    select id, '', 0 from enrolments where id = wanted
    on conflict do nothing;
  -- Whoever changes the same enrolment meanwhile waits here, so that the sums below see what the other committed.
  perform from enrolment_index where enrolment_id = wanted for no key update;
  update enrolment_index set
    -- Nothing while the enrolment is being erased.
    words = coalesce((
      select to_tsvector('simple', regexp_replace(
        concat_ws(' ', reference, buyer_name, email, phone, organisation, purchase_order,
          (select string_agg(concat_ws(' ', name, attendees.email), ' ') from attendees where enrolment_id = wanted),
          (select string_agg(format('INV %1$s INV%1$s %2$s', lpad(number::text, 5, '0'), number), ' ')
            from tax_invoices where enrolment_id = wanted)),
        '[!-/:-@[-`{-~]+', ' ', 'g'))
      from enrolments where id = wanted), ''),
    (balance_cents, due_on) = (
      with invoices as (
        select invoice.id, (facts ->> 'dueOn')::date as due, total_cents - coalesce(
          (select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0) as left_of_it
        from tax_invoices invoice where enrolment_id = wanted
      ), money as (
        select coalesce((select sum(amount_cents) from payments where enrolment_id = wanted), 0)
          - coalesce((select sum(refund.amount_cents) from refunds refund join payments payment on payment.id = refund.payment_id
            where payment.enrolment_id = wanted and refund.state = 'sent'), 0) as paid
      ), summed as (
        select due, sum(left_of_it) over (order by due, id) as up_to_it from invoices
      )
      select coalesce((select sum(left_of_it) from invoices), 0) - paid,
        (select min(due) from summed where up_to_it > paid)
      from money)
  where enrolment_id = wanted;
end $$;

create function enrolment_index_changed() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  if tg_table_name = 'enrolments' then
    ids := array[new.id];
  elsif tg_table_name = 'adjustment_notes' then
    select array[enrolment_id] into ids from tax_invoices where id = new.tax_invoice_id;
  elsif tg_table_name = 'refunds' then
    select array[enrolment_id] into ids from payments where id = coalesce(new.payment_id, old.payment_id);
  elsif tg_op = 'INSERT' then
    ids := array[new.enrolment_id];
  elsif tg_op = 'DELETE' then
    ids := array[old.enrolment_id];
  else
    ids := array[least(old.enrolment_id, new.enrolment_id), greatest(old.enrolment_id, new.enrolment_id)];
  end if;
  perform index_enrolment(id) from (select distinct id from unnest(ids) as id where id is not null order by id) as changed;
  return null;
end $$;
create trigger enrolment_index_changed after insert or update of buyer_name, email, phone, organisation, purchase_order
  on enrolments for each row execute function enrolment_index_changed();
create trigger enrolment_index_changed after insert or delete or update of name, email
  on attendees for each row execute function enrolment_index_changed();
create trigger enrolment_index_changed after insert or update of enrolment_id
  on tax_invoices for each row execute function enrolment_index_changed();
create trigger enrolment_index_changed after insert
  on adjustment_notes for each row execute function enrolment_index_changed();
create trigger enrolment_index_changed after insert or delete or update
  on payments for each row execute function enrolment_index_changed();
create trigger enrolment_index_changed after insert or delete or update
  on refunds for each row execute function enrolment_index_changed();
select index_enrolment(id) from enrolments order by id;
