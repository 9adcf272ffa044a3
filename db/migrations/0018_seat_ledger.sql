-- The ledger refuses more of what a wrong command would write (P27), and versions are raised in an order in which no two
-- transactions wait for each other.

-- Whose holds count together: a keyed hash of the visitor's network, never the address; emptied when the hold ends.
alter table seat_holds
  add column visitor text,
  add check (visitor is null or ended_at is null);
create index on seat_holds (visitor) where ended_at is null and visitor is not null;
create unique index one_open_hold on seat_holds (draft_id, training_session_id) where ended_at is null;

-- Seats left and seats sold are summed from the index alone.
drop index seat_movements_training_session_id_seats_idx;
create index on seat_movements (training_session_id) include (seats, kind);

-- A place is one attendee's.
alter table seat_movements add constraint one_seat_a_place check (kind in ('hold', 'release') or abs(seats) = 1);

-- A session that needed no decision can be cancelled as well.
do $$
declare name text;
begin
  select conname into strict name from pg_constraint
    where conrelid = 'training_sessions'::regclass and contype = 'c'
      and pg_get_constraintdef(oid) like '%state = ''confirmed''%';
  execute format('alter table training_sessions drop constraint %I', name);
end $$;
alter table training_sessions
  add constraint tentative_until_decided check (state <> 'tentative' or decided_by is not null);

create or replace function check_seats() returns trigger language plpgsql as $$
declare
  session record;
  taken bigint;
begin
  -- The sum has to see what others committed while this transaction waited for the lock.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'seats are only written in transactions that are read committed'
      using errcode = 'invalid_transaction_state';
  end if;
  select capacity, state into session from training_sessions
    where id = new.training_session_id for no key update;
  select coalesce(sum(seats), 0) into taken from seat_movements
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
  return null;
end $$;

-- Whether a session is held shows with its seats: a sale that confirms it then waits for one version only, at its end.
drop trigger snapshot_changed on training_sessions;
create trigger snapshot_changed
  after insert or delete or truncate
  or update of slug, course_id, starts_on, ends_on, starts_at, ends_at, zone, delivery, venue, instructor_slug, retired_at,
    minimum, decided_by, enrolment_ends_on
  on training_sessions
  for each statement execute function snapshot_part_changed('catalogue');
drop trigger seats_changed on training_sessions;
create constraint trigger seats_changed after update of capacity, state on training_sessions
  deferrable initially deferred for each row
  when (old.capacity <> new.capacity or old.state <> new.state)
  execute function snapshot_part_changed('seats');
-- Calendars take a cancellation for new only with a higher SEQUENCE, which is made of the other versions.
create trigger session_cancelled after update of state on training_sessions
  for each row when (new.state = 'cancelled' and old.state <> 'cancelled')
  execute function snapshot_part_changed('catalogue');
