-- Waiting lists (P48): of a full course date, or of a course for its next date.
create table waiting_entries (
  id bigint generated always as identity primary key,
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  course_date_id bigint references course_dates,
  course_id bigint not null references courses,
  seats integer not null,
  -- On a course's list, which weeks would suit, by their Mondays, and which place; empty and null: any (P98).
  weeks date[] not null default '{}' check (cardinality(weeks) <= 12),
  venue text check (venue in ('online', 'Brisbane', 'Sydney', 'Melbourne')),
  name text not null,
  email text not null,
  mailbox text not null,
  -- Null for large public providers, and for places that were bought.
  mail_domain text,
  -- Set when the person bought a combo or a course that has no date yet: its place waits with it.
  enrolment_id bigint references enrolments on delete cascade,
  joined_at timestamptz not null,
  closed_at timestamptz,
  closed_why text check (closed_why in ('bought', 'declined', 'lapsed', 'left', 'staff', 'over', 'undeliverable')),
  -- Staff withdrew its offer: it keeps its turn but is offered seats by hand only, until staff resume it.
  paused_at timestamptz,
  -- Since when an entry competes: the link mailed to its address was opened and its button pressed. Null: not yet; such an
  -- entry reserves nothing. Places that were bought compete without it. What stood here before counts as confirmed.
  confirmed_at timestamptz,
  -- From when on somebody who joined can be sent the mail with their link: the hour of their address was taken when they
  -- joined. Null: it was sent. What stood here before was told.
  tell_from timestamptz,
  person_id bigint references people,
  -- When an entry's link was last mailed: the days to confirm it count from then, as the mail says.
  told_at timestamptz,
  check (course_date_id is null or (cardinality(weeks) = 0 and venue is null)),
  check ((closed_at is null) = (closed_why is null)),
  check (seats >= 1 and (seats <= 20 or enrolment_id is not null))
);
create index on waiting_entries (mail_domain, joined_at) where mail_domain is not null;
create index on waiting_entries (course_date_id, joined_at, id) where closed_at is null;
create index on waiting_entries (course_id, joined_at, id) where closed_at is null;
create index on waiting_entries (mailbox);
create unique index one_open_entry on waiting_entries (mailbox, course_id, coalesce(course_date_id, (0)::bigint))
  where closed_at is null and enrolment_id is null;
-- Places that wait for the next date of their course, bought already.
create unique index one_entry_of_places on waiting_entries (enrolment_id, course_id)
  where closed_at is null and enrolment_id is not null;
create index on waiting_entries (closed_at) where closed_at is not null;
create index on waiting_entries (joined_at) where confirmed_at is null and closed_at is null and enrolment_id is null;
create index on waiting_entries (tell_from)
  where tell_from is not null and confirmed_at is null and closed_at is null;
create index on waiting_entries (mailbox) where tell_from is not null;
create index on waiting_entries (person_id);
create index on waiting_entries (joined_at);

create trigger issue_reference before insert on waiting_entries for each row execute function issue_reference();
-- What is public changes with the lists; at the end of the transaction, as with seats.
create constraint trigger seats_changed after insert or update or delete on waiting_entries
  deferrable initially deferred for each row execute function snapshot_part_changed('seats');
create trigger set_person before insert or update of email on waiting_entries
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on waiting_entries for each row execute function person_words_changed();

create table waiting_offers (
  id bigint generated always as identity primary key,
  entry_id bigint not null references waiting_entries on delete cascade,
  course_date_id bigint not null references course_dates,
  hold_id bigint not null unique references seat_holds,
  seats integer not null check (seats > 0),
  made_at timestamptz not null,
  -- Null: made by the program, in order.
  made_by bigint references people,
  mail_id uuid,
  -- From when its time runs: the mail server took the message.
  mailed_at timestamptz,
  ended_at timestamptz,
  ended text check (ended in ('accepted', 'declined', 'lapsed', 'withdrawn', 'undeliverable')),
  -- Why staff made it by hand or withdrew it.
  reason text,
  -- When the person was told that it was over.
  told_at timestamptz,
  check ((ended_at is null) = (ended is null))
);
create unique index one_open_offer on waiting_offers (entry_id) where ended_at is null;
create index on waiting_offers (course_date_id) where ended_at is null;
create index on waiting_offers (entry_id);
create index on waiting_offers (id) where ended_at is not null and told_at is null;
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on waiting_offers (made_by);

-- Why seats of a course date are not offered to an entry of its course however many are free; null when they may be.
create function waiting_bar(entry waiting_entries, wanted bigint) returns text language sql stable as $$
  select case
    when entry.course_date_id <> wanted then 'another date'
    when entry.course_date_id is null
      and coalesce((
        select min(placed_at) from places
        where places.enrolment_id = entry.enrolment_id and places.course_id = entry.course_id
          and way = 'next-date' and state = 'active'), entry.joined_at)
        > (select made_at from course_dates where id = wanted) then 'set before'
    when entry.enrolment_id is not null and exists (
        select from waiting_offers offer join waiting_entries before on before.id = offer.entry_id
        where before.enrolment_id = entry.enrolment_id and before.course_id = entry.course_id
          and offer.course_date_id = wanted and offer.ended in ('declined', 'lapsed', 'undeliverable')) then 'asked'
  end
$$;

-- The entries whose turn it is in a course date: in the order in which they joined, each that is confirmed and fits
-- whole into the seats that are free after those before it. Those of a mail domain that let an offer lapse come last, so
-- that made-up addresses keep seats from others once.
create function waiting_turns(course_date bigint) returns table (entry_id bigint, seats integer)
language plpgsql stable as $$
declare
  free integer;
  course bigint;
  entry record;
begin
  select s.capacity - c.sold - c.held - c.offered, s.course_id into free, course
    from course_dates s join course_date_seats c on c.course_date_id = s.id
    where s.id = course_date and s.state <> 'cancelled';
  if free is null then
    return;
  end if;
  for entry in
    select w.id, w.seats from waiting_entries w
    where w.course_id = course and (w.course_date_id = course_date or w.course_date_id is null)
      and w.closed_at is null and w.paused_at is null
      and (w.confirmed_at is not null or w.enrolment_id is not null)
      and not exists (select from waiting_offers o where o.entry_id = w.id and o.ended_at is null)
      and waiting_bar(w, course_date) is null
    order by exists (
        select from waiting_offers o join waiting_entries lapsed on lapsed.id = o.entry_id
        where lapsed.mail_domain = w.mail_domain and o.ended = 'lapsed' and o.ended_at > w.joined_at - interval '30 days'
      ), w.joined_at, w.id
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
create function seats_reserved(course_date bigint) returns integer language sql stable as $$
  select coalesce(sum(seats), 0)::integer from waiting_turns(course_date)
$$;

-- An open offer that is erased with its person gives its seats back.
create function release_erased_offer() returns trigger language plpgsql as $$
begin
  update seat_holds set ended_at = now(), ended = 'released' where id = old.hold_id and ended_at is null;
  if found then
    insert into seat_movements (course_date_id, kind, seats, hold_id, at)
      values (old.course_date_id, 'release', -old.seats, old.hold_id, now());
  end if;
  return null;
end $$;

create trigger release_erased_offer after delete on waiting_offers for each row
  when (old.ended_at is null) execute function release_erased_offer();
create constraint trigger seats_changed after insert or update or delete on waiting_offers
  deferrable initially deferred for each row execute function snapshot_part_changed('seats');
