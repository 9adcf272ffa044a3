-- phase: backfill
-- Fills what 0150 added: until then a refund counted on the day on which it was recorded, so no sum changes.
alter table refunds disable trigger user;
update refunds set sent_on = (recorded_at at time zone 'Australia/Brisbane')::date where sent_on is null;
alter table refunds enable trigger user;
alter table refunds alter sent_on set not null;
create index on refunds (sent_on, id);

create or replace function count_refund() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into figure_entries (what, day, items, cents)
      select 'refunded', old.sent_on, -1, -old.amount_cents
      from payments where id = old.payment_id and currency = 'AUD' and old.state = 'sent';
  end if;
  if tg_op <> 'DELETE' then
    insert into figure_entries (what, day, items, cents)
      select 'refunded', new.sent_on, 1, new.amount_cents
      from payments where id = new.payment_id and currency = 'AUD' and new.state = 'sent';
  end if;
  return null;
end $$;
drop trigger count_refund on refunds;
create trigger count_refund after insert or delete or update of payment_id, sent_on, amount_cents, state on refunds
  for each row execute function count_refund();

create or replace function fill_figures() returns void language plpgsql as $$
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
    select 'refunded', refund.sent_on, 0, count(*),
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
