-- phase: expand
-- A refund counts on the day on which it was sent, which may be before it was recorded (decision 149).
alter table refunds add column sent_on date;

-- The release before does not name the day.
create function refund_sent_on() returns trigger language plpgsql as $$
begin
  new.sent_on := (new.recorded_at at time zone 'Australia/Brisbane')::date;
  return new;
end $$;
create trigger refund_sent_on before insert on refunds for each row when (new.sent_on is null)
  execute function refund_sent_on();

create or replace function count_refund() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into figure_entries (what, day, items, cents)
      select 'refunded', coalesce(old.sent_on, (old.recorded_at at time zone 'Australia/Brisbane')::date), -1, -old.amount_cents
      from payments where id = old.payment_id and currency = 'AUD' and old.state = 'sent';
  end if;
  if tg_op <> 'DELETE' then
    insert into figure_entries (what, day, items, cents)
      select 'refunded', new.sent_on, 1, new.amount_cents
      from payments where id = new.payment_id and currency = 'AUD' and new.state = 'sent';
  end if;
  return null;
end $$;
