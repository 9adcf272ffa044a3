-- phase: expand
-- A report of a year adds up what its weeks had instead of each document of that year (P87).

-- What each day had, and each week by its Monday. Only the job that adds up figure_entries writes here, so the two together
-- are the ledger's sums at every moment.
create table figures (
  what text not null,
  span text not null check (span in ('day', 'week')),
  starts date not null,
  -- 0: of no course, or of all.
  course_id bigint not null,
  items bigint not null,
  cents bigint not null,
  gst_cents bigint not null,
  primary key (what, span, starts, course_id)
);

-- What came to a day, below zero: what went. Written by triggers in the transaction of the change and only added to, so
-- nobody who sells waits for another.
create table figure_entries (
  id bigint generated always as identity primary key,
  what text not null,
  day date not null,
  course_id bigint not null default 0,
  items bigint not null default 0,
  cents bigint not null default 0,
  gst_cents bigint not null default 0
);

-- Documents. Nothing changes or deletes one, or its lines (0017).
create function count_document() returns trigger language plpgsql as $$
begin
  insert into figure_entries (what, day, items, cents, gst_cents)
    values (tg_argv[0], new.issued_on, 1, new.total_cents, new.gst_cents);
  return null;
end $$;
create trigger count_document after insert on tax_invoices for each row execute function count_document('invoices');
create trigger count_document after insert on adjustment_notes for each row execute function count_document('notes');

create function count_lines() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'tax_invoice_lines' then
    insert into figure_entries (what, day, course_id, cents)
      select 'revenue', document.issued_on, coalesce(place.course_id, 0), sum(added.amount_cents)
      from added join tax_invoices document on document.id = added.tax_invoice_id
        left join places place on place.id = added.place_id
      group by document.issued_on, place.course_id;
  else
    insert into figure_entries (what, day, course_id, cents)
      select 'revenue', document.issued_on, coalesce(place.course_id, 0), -sum(added.amount_cents)
      from added join adjustment_notes document on document.id = added.adjustment_note_id
        left join places place on place.id = added.place_id
      group by document.issued_on, place.course_id;
  end if;
  return null;
end $$;
create trigger count_lines after insert on tax_invoice_lines referencing new table as added
  for each statement execute function count_lines();
create trigger count_lines after insert on adjustment_note_lines referencing new table as added
  for each statement execute function count_lines();

-- Money, also what is matched to no enrolment. A payment may be divided, a refund may come back.
create function count_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into figure_entries (what, day, items, cents)
      select 'received', old.received_on, -1, -old.amount_cents where old.currency = 'AUD';
  end if;
  if tg_op <> 'DELETE' then
    insert into figure_entries (what, day, items, cents)
      select 'received', new.received_on, 1, new.amount_cents where new.currency = 'AUD';
  end if;
  return null;
end $$;
create trigger count_payment after insert or delete or update of received_on, amount_cents, currency on payments
  for each row execute function count_payment();

create function count_refund() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into figure_entries (what, day, items, cents)
      select 'refunded', (old.recorded_at at time zone 'Australia/Brisbane')::date, -1, -old.amount_cents
      from payments where id = old.payment_id and currency = 'AUD' and old.state = 'sent';
  end if;
  if tg_op <> 'DELETE' then
    insert into figure_entries (what, day, items, cents)
      select 'refunded', (new.recorded_at at time zone 'Australia/Brisbane')::date, 1, new.amount_cents
      from payments where id = new.payment_id and currency = 'AUD' and new.state = 'sent';
  end if;
  return null;
end $$;
create trigger count_refund after insert or delete or update of payment_id, recorded_at, amount_cents, state on refunds
  for each row execute function count_refund();

-- Where an enrolment came from. Who pays for it can be corrected.
create function source_of(placed_by bigint, payer text) returns text language sql immutable as $$
  select case when placed_by is null then 'pages' else 'staff' end
    || case when payer = 'organisation' then ', organisations' else ', private' end
$$;
create function count_enrolment() returns trigger language plpgsql as $$
declare
  its_day date := (new.placed_at at time zone 'Australia/Brisbane')::date;
  its_cents bigint;
begin
  if tg_op = 'INSERT' then
    insert into figure_entries (what, day, items) values (source_of(new.placed_by, new.payer), its_day, 1);
  else
    -- What is charged may be changing: that is counted by count_listed, by the payer whom it sees then.
    select total_cents into its_cents from enrolment_list where enrolment_id = new.id for no key update;
    insert into figure_entries (what, day, items, cents) values
      (source_of(old.placed_by, old.payer), its_day, -1, -coalesce(its_cents, 0)),
      (source_of(new.placed_by, new.payer), its_day, 1, coalesce(its_cents, 0));
  end if;
  return null;
end $$;
create trigger count_enrolment after insert on enrolments for each row execute function count_enrolment();
create trigger count_other_payer after update of payer on enrolments for each row when (old.payer <> new.payer)
  execute function count_enrolment();

create function is_paid(listed enrolment_list) returns boolean language sql immutable as $$
  select listed.balance_cents <= 0 and listed.paid_by <> '{}'
$$;

-- What is charged and whether it is paid, of the row that every change of an enrolment locks and writes (0073).
create function count_listed() returns trigger language plpgsql as $$
declare
  cents_before bigint := case tg_op when 'UPDATE' then old.total_cents else 0 end;
  paid_before boolean := tg_op = 'UPDATE' and is_paid(old);
begin
  if new.total_cents <> cents_before then
    insert into figure_entries (what, day, cents)
      select source_of(placed_by, payer), (placed_at at time zone 'Australia/Brisbane')::date,
        new.total_cents - cents_before
      from enrolments where id = new.enrolment_id;
  end if;
  if is_paid(new) <> paid_before then
    insert into figure_entries (what, day, course_id, items)
      select 'paid', (placed_at at time zone 'Australia/Brisbane')::date, course_id, case when paid_before then -1 else 1 end
      from enrolments join enrolment_courses on enrolment_id = id
      where id = new.enrolment_id and placed_by is null;
  end if;
  return null;
end $$;
create trigger count_listed after insert or update of total_cents, balance_cents, paid_by on enrolment_list
  for each row execute function count_listed();

-- The courses of an enrolment from our pages.
create function count_course() returns trigger language plpgsql as $$
begin
  insert into figure_entries (what, day, course_id, items)
    select counted.what, (placed_at at time zone 'Australia/Brisbane')::date, new.course_id, 1
    from enrolments join enrolment_list list on list.enrolment_id = enrolments.id
      cross join lateral (select 'placed' as what union all select 'paid' where is_paid(list)) as counted
    where enrolments.id = new.enrolment_id and placed_by is null;
  return null;
end $$;
create trigger count_course after insert on enrolment_courses for each row execute function count_course();

-- A move to another date is no new place.
create function count_place() returns trigger language plpgsql as $$
declare
  change integer := (new.transferred_from is null)::integer
    - case tg_op when 'UPDATE' then (old.transferred_from is null)::integer else 0 end;
begin
  if change <> 0 then
    insert into figure_entries (what, day, course_id, items)
      values ('places', (new.placed_at at time zone 'Australia/Brisbane')::date, new.course_id, change);
  end if;
  return null;
end $$;
create trigger count_place after insert or update of transferred_from on places
  for each row execute function count_place();

-- Computes all figures anew from the ledger: for a database that had enrolments before, or had triggers switched off.
-- The second statement sees the ledger and the entries at one moment, so nothing counts twice or never.
create function fill_figures() returns void language plpgsql as $$
begin
  lock table figures in exclusive mode;
  delete from figures;
  with gone as (delete from figure_entries),
  ledger (what, day, course_id, items, cents, gst_cents) as (
    select 'invoices', issued_on, 0, count(*), sum(total_cents), sum(gst_cents) from tax_invoices group by 2
    union all
    select 'notes', issued_on, 0, count(*), sum(total_cents), sum(gst_cents) from adjustment_notes group by 2
    union all
    select 'revenue', issued_on, coalesce(place.course_id, 0), 0, sum(line.amount_cents), 0
      from tax_invoices document join tax_invoice_lines line on line.tax_invoice_id = document.id
        left join places place on place.id = line.place_id group by 2, 3
    union all
    select 'revenue', issued_on, coalesce(place.course_id, 0), 0, -sum(line.amount_cents), 0
      from adjustment_notes document join adjustment_note_lines line on line.adjustment_note_id = document.id
        left join places place on place.id = line.place_id group by 2, 3
    union all
    select 'places', (placed_at at time zone 'Australia/Brisbane')::date, course_id, count(*), 0, 0
      from places where transferred_from is null group by 2, 3
    union all
    select 'received', received_on, 0, count(*), sum(amount_cents), 0 from payments where currency = 'AUD' group by 2
    union all
    select 'refunded', (refund.recorded_at at time zone 'Australia/Brisbane')::date, 0, count(*),
        sum(refund.amount_cents), 0
      from refunds refund join payments payment on payment.id = refund.payment_id
      where refund.state = 'sent' and currency = 'AUD' group by 2
    union all
    select source_of(placed_by, payer), (placed_at at time zone 'Australia/Brisbane')::date, 0, count(*),
        coalesce(sum(total_cents), 0), 0
      from enrolments left join enrolment_list on enrolment_id = id group by 1, 2
    union all
    select 'placed', (placed_at at time zone 'Australia/Brisbane')::date, course_id, count(*), 0, 0
      from enrolments join enrolment_courses on enrolment_id = id where placed_by is null group by 2, 3
    union all
    select 'paid', (placed_at at time zone 'Australia/Brisbane')::date, course_id, count(*), 0, 0
      from enrolments join enrolment_courses its on its.enrolment_id = id
        join enrolment_list list on list.enrolment_id = id
      where placed_by is null and is_paid(list) group by 2, 3
  )
  insert into figures (what, span, starts, course_id, items, cents, gst_cents)
    select what, span, case span when 'day' then day else date_trunc('week', day)::date end, course_id, sum(items),
      sum(cents), sum(gst_cents)
    from ledger cross join (values ('day'), ('week')) as spans (span)
    group by 1, 2, 3, 4;
end $$;
