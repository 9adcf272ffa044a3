-- A payment that is divided, or put together again, changes its amounts: whoever was told of another amount is told (P39).
create or replace function tell_of_payment() returns trigger language plpgsql as $$
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
drop trigger tell_of_assignment on payments;
create trigger tell_of_assignment after update of enrolment_id, amount_cents on payments for each row
  when ((old.enrolment_id, old.amount_cents) is distinct from (new.enrolment_id, new.amount_cents))
  execute function tell_of_payment();

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
create trigger tell_of_removed_part before delete on payments for each row
  when (old.part_of is not null and old.enrolment_id is not null) execute function tell_of_removed_part();
