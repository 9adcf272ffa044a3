-- What is sold, held and offered of each training session, kept by the ledger's own trigger: a sale, a page and a list
-- read one row, however many movements there were (P27). The sum of the movements stays the truth, and nothing but the
-- trigger can write here, so the two cannot differ.
create table session_seats (
  training_session_id bigint primary key references training_sessions on delete cascade,
  sold integer not null default 0,
  -- For people who fill in the form, and by staff.
  held integer not null default 0,
  -- Held for somebody on the waiting list (P48).
  offered integer not null default 0,
  check (sold >= 0 and held >= 0 and offered >= 0)
) with (fillfactor = 50);
insert into session_seats (training_session_id, sold, held, offered)
select s.id,
  coalesce(sum(m.seats) filter (where m.kind in ('sale', 'cancellation')), 0),
  coalesce(sum(m.seats) filter (where h.purpose <> 'offer'), 0),
  coalesce(sum(m.seats) filter (where h.purpose = 'offer'), 0)
from training_sessions s
  left join seat_movements m on m.training_session_id = s.id
  left join seat_holds h on h.id = m.hold_id
group by s.id;

create function count_new_session() returns trigger language plpgsql as $$
begin
  insert into session_seats (training_session_id) values (new.id);
  return null;
end $$;
create trigger count_new_session after insert on training_sessions for each row execute function count_new_session();

-- Depth 1 is this trigger itself: a statement that no other trigger made.
create function refuse_counting_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'session_seats is written by the ledger only';
  end if;
  return null;
end $$;
create trigger counted_by_ledger before insert or update or delete or truncate on session_seats
  for each statement execute function refuse_counting_by_hand();

-- The purpose of a hold says where its seats are counted.
create function refuse_change_of_hold() returns trigger language plpgsql as $$
begin
  raise exception 'session, seats and purpose of a hold are never changed';
end $$;
create trigger hold_keeps_its_seats before update of training_session_id, seats, purpose on seat_holds for each row
  when ((old.training_session_id, old.seats, old.purpose) is distinct from (new.training_session_id, new.seats, new.purpose))
  execute function refuse_change_of_hold();

create or replace function check_seats() returns trigger language plpgsql as $$
declare
  session record;
  hold_purpose text;
  taken integer;
begin
  -- The count has to be what others committed while this transaction waited for the lock.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'seats are only written in transactions that are read committed'
      using errcode = 'invalid_transaction_state';
  end if;
  select capacity, state into session from training_sessions
    where id = new.training_session_id for no key update;
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
      offered = offered + case when hold_purpose = 'offer' then new.seats else 0 end
    where training_session_id = new.training_session_id;
  return null;
end $$;

create or replace function check_capacity() returns trigger language plpgsql as $$
declare
  taken integer;
begin
  select sold + held + offered into strict taken from session_seats where training_session_id = new.id;
  if taken > new.capacity then
    raise exception 'training session % has % seats taken, its capacity cannot be %', new.id, taken, new.capacity
      using errcode = 'check_violation', constraint = 'seats_within_capacity';
  end if;
  return null;
end $$;

-- As before, but what is free is read from the counter.
create or replace function waiting_turns(session bigint) returns table (entry_id bigint, seats integer) language plpgsql stable as $$
declare
  free integer;
  course bigint;
  made timestamptz;
  entry record;
begin
  select s.capacity - c.sold - c.held - c.offered, s.course_id, s.made_at
    into free, course, made
    from training_sessions s join session_seats c on c.training_session_id = s.id
    where s.id = session and s.state <> 'cancelled' and s.retired_at is null;
  if free is null then
    return;
  end if;
  for entry in
    select w.id, w.seats from waiting_entries w
    where w.course_id = course and (w.training_session_id = session or (w.training_session_id is null and w.joined_at <= made))
      and w.closed_at is null and w.paused_at is null
      and not exists (select from waiting_offers o where o.entry_id = w.id and o.ended_at is null)
      -- Places that were bought keep waiting when a date does not suit, and are not asked about it again.
      and not (w.enrolment_id is not null and exists (
        select from waiting_offers o join waiting_entries before on before.id = o.entry_id
        where before.enrolment_id = w.enrolment_id and before.course_id = w.course_id
          and o.training_session_id = session))
    order by w.joined_at, w.id
  loop
    exit when free <= 0;
    if entry.seats <= free then
      free := free - entry.seats;
      entry_id := entry.id;
      seats := entry.seats;
      return next;
    end if;
  end loop;
end $$;

-- What jobs and the snapshot look for among all that is over: sessions to come, and offers of whose end nobody was
-- told.
create index on training_sessions (ends_on);
create index on training_sessions (starts_on);
create index on waiting_offers (id) where ended_at is not null and told_at is null;

-- Places that were bought wait however many they are; a list that asks for nothing yet keeps its limit.
alter table waiting_entries
  drop constraint waiting_entries_seats_check,
  add constraint waiting_entries_seats_check check (seats >= 1 and (seats <= 20 or enrolment_id is not null));

-- Written to the log at once; staff are told of those since the last e-mail, once an hour at most.
alter table job_faults add column logged_at timestamptz;
create index on job_faults (told_at);
