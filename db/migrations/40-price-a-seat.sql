-- phase: expand
-- A new column that is null everywhere; a trigger that says the same of every quote without it.

-- What staff agreed for one person, GST included, instead of a discount in per cent (P114). Null: no such price.
alter table offers add column seat_cents integer check (seat_cents >= 0);
alter table offers add constraint one_discount check (seat_cents is null or discount_percent = 0) not valid;

create or replace trigger frozen_once_sent before update on offers for each row
  when (old.state <> 'draft' and (
    (old.number, old.version, old.people, old.discount_percent, old.seat_cents, old.total_cents, old.terms_id, old.last_day,
      old.facts)
    is distinct from
    (new.number, new.version, new.people, new.discount_percent, new.seat_cents, new.total_cents, new.terms_id, new.last_day,
      new.facts)
    or new.state = 'draft' or (old.state <> 'sent' and old.state <> new.state)))
  execute function refuse_change_of_offer();
