-- Seats kept for a while: for somebody filling in the form, for an offer from a waiting list, or for a quote of staff.
create table seat_holds (
  id bigint generated always as identity primary key,
  course_date_id bigint not null references course_dates,
  seats integer not null check (seats > 0),
  purpose text not null check (purpose in ('enrolment', 'waiting-offer', 'quote')),
  draft_id bigint references enrolment_drafts on delete set null,
  made_at timestamptz not null,
  -- Null: until staff or its purpose end it.
  expires_at timestamptz,
  extended integer not null default 0 check (extended between 0 and 10),
  ended_at timestamptz,
  ended text check (ended in ('sold', 'released', 'expired')),
  -- Whose holds count together: a keyed hash of the visitor's network, never the address; emptied when the hold ends.
  visitor text,
  -- For what quote seats are held: its number or an organisation, no person.
  label text,
  -- A keyed hash of the network that held seats; unlike `visitor` it stays some hours after the hold has ended.
  network text,
  check ((ended_at is null) = (ended is null)),
  check (visitor is null or ended_at is null),
  check (label is null or purpose = 'quote')
);
create index on seat_holds (course_date_id) where ended_at is null;
create index on seat_holds (expires_at) where ended_at is null;
create index on seat_holds (draft_id);
create index on seat_holds (visitor) where ended_at is null and visitor is not null;
create unique index one_open_hold on seat_holds (draft_id, course_date_id) where ended_at is null;
create index on seat_holds (course_date_id, ended_at) where purpose = 'enrolment' and ended <> 'sold';
create index on seat_holds (ended_at) where network is not null and ended_at is not null;

-- An offer ends with the hold of its seats, whoever ends that, and an entry with its seats sold or its time over.
create function end_offer() returns trigger language plpgsql as $$
declare
  placed boolean;
  entry bigint;
begin
  placed := new.ended = 'sold' or exists (
    select from enrolment_drafts where id = new.draft_id and enrolment_id is not null);
  update waiting_offers
    set ended_at = new.ended_at,
      ended = case when new.ended = 'sold' then 'accepted' when placed then 'declined'
        when new.ended = 'expired' then 'lapsed' else 'withdrawn' end
    where hold_id = new.id and ended_at is null
    returning entry_id into entry;
  if entry is null then
    return null;
  end if;
  update waiting_entries
    set closed_at = case when placed or new.ended = 'expired' then new.ended_at end,
      closed_why = case when placed then 'bought' when new.ended = 'expired' then 'lapsed' end,
      paused_at = case when not placed and new.ended = 'released' then new.ended_at end
    where id = entry and closed_at is null;
  return null;
end $$;

-- The purpose of a hold says where its seats are counted.
create function refuse_change_of_hold() returns trigger language plpgsql as $$
begin
  raise exception 'course date, seats and purpose of a hold are never changed';
end $$;

create trigger end_offer after update of ended_at on seat_holds for each row
  when (new.purpose = 'waiting-offer' and old.ended_at is null and new.ended_at is not null)
  execute function end_offer();
-- Public pages say until when seats are held.
create constraint trigger hold_extended after update of expires_at on seat_holds
  deferrable initially deferred for each row
  when (old.expires_at is distinct from new.expires_at and new.ended_at is null)
  execute function snapshot_part_changed('seats');
create trigger hold_keeps_its_seats before update of course_date_id, seats, purpose on seat_holds for each row
  when ((old.course_date_id, old.seats, old.purpose) is distinct from (new.course_date_id, new.seats, new.purpose))
  execute function refuse_change_of_hold();

-- Drafts for which seats of a date are not held at the moment, because they or their network held them long enough without
-- buying, and from when on they can be held again.
create table hold_pauses (
  draft_id bigint not null references enrolment_drafts on delete cascade,
  course_date_id bigint not null references course_dates on delete cascade,
  until timestamptz not null,
  primary key (draft_id, course_date_id)
);

-- What is sold, held and offered of each course date, kept by the ledger's own trigger: a sale, a page and a list
-- read one row, however many movements there were (P27). The sum of the movements stays the truth, and nothing but the
-- trigger can write here, so the two cannot differ.
create table course_date_seats (
  course_date_id bigint primary key references course_dates on delete cascade,
  sold integer not null default 0,
  -- For people who fill in the form, and by staff.
  held integer not null default 0,
  -- Held for somebody on the waiting list (P48).
  offered integer not null default 0,
  check (sold >= 0 and held >= 0 and offered >= 0)
) with (fillfactor=50);

-- Depth 1 is this trigger itself: a statement that no other trigger made.
create function refuse_counting_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'course_date_seats is written by the ledger only';
  end if;
  return null;
end $$;

create trigger counted_by_ledger before insert or update or delete or truncate on course_date_seats
  for each statement execute function refuse_counting_by_hand();

-- The ledger (P27). Never changed, only added to; it names no person.
create table seat_movements (
  id bigint generated always as identity primary key,
  course_date_id bigint not null references course_dates,
  kind text not null check (kind in ('hold', 'release', 'sale', 'cancellation')),
  -- Seats taken; below zero: seats given back.
  seats integer not null,
  hold_id bigint references seat_holds,
  -- No reference: the place may be erased with its person, the movement stays.
  place_id bigint,
  at timestamptz not null,
  check (case when kind in ('hold', 'sale') then seats > 0 else seats < 0 end),
  check ((kind in ('hold', 'release')) = (hold_id is not null)),
  check ((kind in ('sale', 'cancellation')) = (place_id is not null)),
  unique (hold_id, kind),
  unique (place_id, kind),
  -- A place is one attendee's.
  constraint one_seat_a_place check (kind in ('hold', 'release') or abs(seats) = 1)
);
create index on seat_movements (course_date_id) include (seats, kind);

-- Stands behind the lock of the commands: what is sold, held and offered never exceeds the capacity, nor falls below zero.
create function check_seats() returns trigger language plpgsql as $$
declare
  course_date course_dates;
  hold_purpose text;
  taken integer;
begin
  -- The count has to be what others committed while this transaction waited for the lock.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'seats are only written in transactions that are read committed'
      using errcode = 'invalid_transaction_state';
  end if;
  select * into course_date from course_dates where id = new.course_date_id for no key update;
  -- Nobody else changes the counter while the course date is locked.
  select sold + held + offered + new.seats into strict taken from course_date_seats
    where course_date_id = new.course_date_id;
  if taken < 0 or taken > course_date.capacity then
    raise exception 'course date % has % seats, % would be taken', new.course_date_id, course_date.capacity, taken
      using errcode = 'check_violation', constraint = 'seats_within_capacity';
  end if;
  if new.seats > 0 and course_date.state = 'cancelled' then
    raise exception 'course date % is cancelled, its seats cannot be taken', new.course_date_id
      using errcode = 'check_violation', constraint = 'no_seats_of_cancelled_course_date';
  end if;
  if not (case new.kind
    when 'hold' then exists (select from seat_holds
      where id = new.hold_id and course_date_id = new.course_date_id and seats = new.seats)
    when 'release' then exists (select from seat_movements
      where hold_id = new.hold_id and kind = 'hold'
        and course_date_id = new.course_date_id and seats = -new.seats)
    when 'cancellation' then exists (select from seat_movements
      where place_id = new.place_id and kind = 'sale' and course_date_id = new.course_date_id)
    else true
  end) then
    raise exception 'nothing in course date % corresponds to this % of % seats',
      new.course_date_id, new.kind, new.seats
      using errcode = 'check_violation', constraint = 'movement_has_origin';
  end if;
  select purpose into hold_purpose from seat_holds where id = new.hold_id;
  update course_date_seats set
      sold = sold + case when new.place_id is not null then new.seats else 0 end,
      held = held + case when hold_purpose <> 'waiting-offer' then new.seats else 0 end,
      offered = offered + case when hold_purpose = 'waiting-offer' then new.seats else 0 end
    where course_date_id = new.course_date_id;
  return null;
end $$;

create trigger only_added_to before update or delete or truncate on seat_movements
  for each statement execute function refuse_change();
create trigger check_seats after insert on seat_movements for each row execute function check_seats();
-- At the end of the transaction, so that those who wait for the version's row do so while nothing else is to be locked.
create constraint trigger seats_changed after insert on seat_movements
  deferrable initially deferred for each row execute function snapshot_part_changed('seats');
