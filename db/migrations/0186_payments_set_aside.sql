-- phase: expand
-- A line of a bank statement becomes a payment, also a payout of Stripe or a transfer between the academy's own accounts.
-- Staff set such a payment aside: it was no payment for the academy, and counts in no figure (P83).
alter table payments
  add column set_aside_at timestamptz,
  add column set_aside_by bigint references people,
  add column set_aside_why text,
  add constraint payments_set_aside_check check (set_aside_at is null or (
    enrolment_id is null and part_of is null and set_aside_by is not null and set_aside_why is not null)) not valid;
create index on payments (set_aside_by) where set_aside_by is not null; -- allowed: no payment has the new column yet, so the index is empty and is built by reading the table once

-- As in 0122, without payments that were set aside.
create or replace function count_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into figure_entries (what, day, items, cents)
      select 'received', old.received_on, -1, -old.amount_cents where old.currency = 'AUD' and old.set_aside_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into figure_entries (what, day, items, cents)
      select 'received', new.received_on, 1, new.amount_cents where new.currency = 'AUD' and new.set_aside_at is null;
  end if;
  return null;
end $$;
drop trigger count_payment on payments;
create trigger count_payment
  after insert or delete or update of received_on, amount_cents, currency, set_aside_at on payments
  for each row execute function count_payment();
