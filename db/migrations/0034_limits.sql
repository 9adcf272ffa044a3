-- What cannot be had with invented addresses: a turn on a waiting list (P48), a date of unpaid seats (P28), and seats held
-- again and again (P27).

-- Since when an entry competes: the link mailed to its address was opened and its button pressed. Null: not yet; such an
-- entry reserves nothing. Places that were bought compete without it. What stood here before counts as confirmed.
alter table waiting_entries add column confirmed_at timestamptz default now();
alter table waiting_entries alter column confirmed_at drop default;
create index on waiting_entries (joined_at) where confirmed_at is null and closed_at is null and enrolment_id is null;

-- The entries whose turn it is in a training session: in the order in which they joined, each that is confirmed and fits
-- whole into the seats that are free after those before it.
create or replace function waiting_turns(session bigint) returns table (entry_id bigint, seats integer)
language plpgsql stable as $$
declare
  free integer;
  course bigint;
  made timestamptz;
  entry record;
begin
  select s.capacity - c.sold - c.held - c.offered, s.course_id, s.made_at into free, course, made
    from training_sessions s join session_seats c on c.training_session_id = s.id
    where s.id = session and s.state <> 'cancelled' and s.retired_at is null;
  if free is null then
    return;
  end if;
  for entry in
    select w.id, w.seats from waiting_entries w
    where w.course_id = course and (w.training_session_id = session or (w.training_session_id is null and w.joined_at <= made))
      and w.closed_at is null and w.paused_at is null
      and (w.confirmed_at is not null or w.enrolment_id is not null)
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

alter table enrolments
  -- Who may stand behind several buyers: the part of the address that somebody registered, null for large public providers
  -- and once it was erased; and a keyed hash of the network from which it was placed, kept for a week.
  add column mail_domain text,
  add column network text;
create index on enrolments (mail_domain, changed_at) where mail_domain is not null;
create index on enrolments (network, changed_at) where network is not null;

-- A keyed hash of the network that held seats; unlike `visitor` it stays some hours after the hold has ended.
alter table seat_holds add column network text;
create index on seat_holds (training_session_id, ended_at) where purpose = 'enrolment' and ended <> 'sold';
create index on seat_holds (ended_at) where network is not null and ended_at is not null;

-- Drafts for which seats of a date are not held at the moment, because they or their network held them long enough without
-- buying, and from when on they can be held again.
create table hold_pauses (
  draft_id bigint not null references enrolment_drafts on delete cascade,
  training_session_id bigint not null references training_sessions on delete cascade,
  until timestamptz not null,
  primary key (draft_id, training_session_id)
);
