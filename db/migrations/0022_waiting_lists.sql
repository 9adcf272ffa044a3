-- Waiting lists at work (P48): whose turn it is, seats that wait for them, and offers that end with their holds.

-- Private links, a further one with each e-mail, as of enrolments.
create table waiting_links (
  token_hash text primary key,
  entry_id bigint not null references waiting_entries on delete cascade
);
create index on waiting_links (entry_id);
alter table waiting_entries drop column token_hash;

alter table waiting_entries
  -- Staff withdrew its offer: it keeps its turn but is offered seats by hand only, until staff resume it.
  add column paused_at timestamptz,
  drop constraint waiting_entries_closed_why_check,
  add constraint waiting_entries_closed_why_check
    check (closed_why in ('bought', 'declined', 'lapsed', 'left', 'staff', 'over', 'undeliverable'));
create unique index one_open_entry on waiting_entries (mailbox, course_id, coalesce(training_session_id, 0))
  where closed_at is null and enrolment_id is null;
-- Places that wait for the next date of their course, bought already.
create unique index one_entry_of_places on waiting_entries (enrolment_id, course_id)
  where closed_at is null and enrolment_id is not null;
create index on waiting_entries (closed_at) where closed_at is not null;

alter table waiting_offers
  -- Why staff made it by hand or withdrew it.
  add column reason text,
  -- When the person was told that it was over.
  add column told_at timestamptz,
  drop constraint waiting_offers_ended_check,
  add constraint waiting_offers_ended_check
    check (ended in ('accepted', 'declined', 'lapsed', 'withdrawn', 'undeliverable'));
create index on waiting_offers (entry_id);

-- When a date was set: a course's own list waits for dates that are set after one joined it.
alter table training_sessions add column made_at timestamptz not null default now();

-- The entries whose turn it is in a training session: in order, each that fits whole into the seats that are free after
-- those before it.
create function waiting_turns(session bigint) returns table (entry_id bigint, seats integer) language plpgsql stable as $$
declare
  free bigint;
  course bigint;
  made timestamptz;
  entry record;
begin
  select capacity - (select coalesce(sum(m.seats), 0) from seat_movements m where m.training_session_id = s.id), course_id, made_at
    into free, course, made
    from training_sessions s where s.id = session and s.state <> 'cancelled' and s.retired_at is null;
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

-- Seats that are free but not public: they are those of whoever's turn it is, and are offered to them in a moment.
create function seats_reserved(session bigint) returns integer language sql stable as $$
  select coalesce(sum(seats), 0)::integer from waiting_turns(session)
$$;

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
create trigger end_offer after update of ended_at on seat_holds for each row
  when (new.purpose = 'offer' and old.ended_at is null and new.ended_at is not null)
  execute function end_offer();

-- An open offer that is erased with its person gives its seats back.
create function release_erased_offer() returns trigger language plpgsql as $$
begin
  update seat_holds set ended_at = now(), ended = 'released' where id = old.hold_id and ended_at is null;
  if found then
    insert into seat_movements (training_session_id, kind, seats, hold_id, at)
      values (old.training_session_id, 'release', -old.seats, old.hold_id, now());
  end if;
  return null;
end $$;
create trigger release_erased_offer after delete on waiting_offers for each row
  when (old.ended_at is null) execute function release_erased_offer();

-- What is public changes with the lists; at the end of the transaction, as with seats.
create constraint trigger seats_changed after insert or update or delete on waiting_entries
  deferrable initially deferred for each row execute function snapshot_part_changed('seats');
create constraint trigger seats_changed after insert or update or delete on waiting_offers
  deferrable initially deferred for each row execute function snapshot_part_changed('seats');
