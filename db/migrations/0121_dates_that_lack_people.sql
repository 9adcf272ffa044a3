-- phase: expand
-- Lists count the enrolments of dates to come that have too few people (P39). How many are sold and how many are needed
-- stand in two tables, so each date to come was looked at for every list.

-- The first day of a date that sales confirmed and that has fewer people than its minimum now; null for all others, and
-- where staff decided to hold it.
create function lacking_on(its training_sessions, sold integer) returns date language sql immutable as $$
  select its.starts_on where its.state = 'confirmed' and its.confirmed_on is not null and its.held_anyway_at is null
    and its.retired_at is null and sold < its.minimum
$$;

alter table session_seats add column lacking_on date;
create index on session_seats (lacking_on) where lacking_on is not null; -- allowed: the column is empty yet

-- As before, and says whether people are lacking then.
create or replace function count_new_session() returns trigger language plpgsql as $$
begin
  insert into session_seats (training_session_id, lacking_on) values (new.id, lacking_on(new, 0));
  return null;
end $$;
create or replace function check_seats() returns trigger language plpgsql as $$
declare
  session training_sessions;
  hold_purpose text;
  taken integer;
begin
  -- The count has to be what others committed while this transaction waited for the lock.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'seats are only written in transactions that are read committed'
      using errcode = 'invalid_transaction_state';
  end if;
  select * into session from training_sessions where id = new.training_session_id for no key update;
  -- Nobody else changes the counter while the session is locked.
  select sold + held + offered + new.seats into strict taken from session_seats
    where training_session_id = new.training_session_id;
  if taken < 0 or taken > session.capacity then
    raise exception 'training session % has % seats, % would be taken', new.training_session_id, session.capacity, taken
      using errcode = 'check_violation', constraint = 'seats_within_capacity';
  end if;
  if new.seats > 0 and session.state = 'cancelled' then
    raise exception 'training session % is cancelled, its seats cannot be taken', new.training_session_id
      using errcode = 'check_violation', constraint = 'no_seats_of_cancelled_session';
  end if;
  if not (case new.kind
    when 'hold' then exists (select from seat_holds
      where id = new.hold_id and training_session_id = new.training_session_id and seats = new.seats)
    when 'release' then exists (select from seat_movements
      where hold_id = new.hold_id and kind = 'hold'
        and training_session_id = new.training_session_id and seats = -new.seats)
    when 'cancellation' then exists (select from seat_movements
      where place_id = new.place_id and kind = 'sale' and training_session_id = new.training_session_id)
    else true
  end) then
    raise exception 'nothing in training session % corresponds to this % of % seats',
      new.training_session_id, new.kind, new.seats
      using errcode = 'check_violation', constraint = 'movement_has_origin';
  end if;
  select purpose into hold_purpose from seat_holds where id = new.hold_id;
  update session_seats set
      sold = sold + case when new.place_id is not null then new.seats else 0 end,
      held = held + case when hold_purpose <> 'offer' then new.seats else 0 end,
      offered = offered + case when hold_purpose = 'offer' then new.seats else 0 end,
      lacking_on = lacking_on(session, sold + case when new.place_id is not null then new.seats else 0 end)
    where training_session_id = new.training_session_id;
  return null;
end $$;

create function session_lacks() returns trigger language plpgsql as $$
begin
  update session_seats set lacking_on = lacking_on(new, sold)
    where training_session_id = new.id and session_seats.lacking_on is distinct from lacking_on(new, sold);
  return null;
end $$;
create trigger session_lacks after update on training_sessions for each row execute function session_lacks();
