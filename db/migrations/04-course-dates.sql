-- Wall-clock time in an IANA zone (P14). A course date's price is its course's (P1).
create table course_dates (
  slug text not null unique,
  starts_on date not null,
  ends_on date not null,
  starts_at time not null,
  ends_at time not null,
  zone text not null
    check (zone ~ '/' and timezone(zone, timestamp '2000-01-01') is not null),
  instructor_slug text not null references instructors (slug),
  capacity integer not null check (capacity > 0),
  course_id bigint not null references courses,
  id bigint generated always as identity primary key,
  delivery text not null check (delivery in ('online', 'in-person', 'both')),
  venue text,
  -- What of a course date's day is not taught.
  break_minutes integer not null default 0 check (break_minutes between 0 and 180),
  changed_at timestamptz not null default now(),
  -- Whether a course date runs, from how many people on, by when that is decided, and until when one can enrol.
  state text not null default 'tentative' check (state in ('tentative', 'confirmed', 'cancelled')),
  minimum integer not null default 1 check (minimum >= 1),
  -- Null when it was confirmed from the start.
  decided_by date,
  -- The last day of enrolment.
  enrolment_ends_on date not null,
  confirmed_on date,
  -- When a date was set: a course's own list waits for dates that are set after one joined it.
  made_at timestamptz not null default now(),
  -- P39, P40: the way into the class of a course date, whether it is held although too few have enrolled, and choices
  -- that end before the course date begins.
  room text check (room <> '' and char_length(room) <= 100),
  street text check (street <> '' and char_length(street) <= 200),
  -- Private: only pages of private links, their mails and calendar files have it.
  joining_link text check (joining_link ~ '^https://[^[:space:]]+$' and char_length(joining_link) <= 500),
  -- When staff decided that it is held, however many have enrolled.
  held_anyway_at timestamptz,
  -- The UID of a calendar entry must be unique in the world (RFC 5545, 3.8.4.7): numbers of rows are the same in every
  -- database.
  calendar_id uuid not null default gen_random_uuid(),
  -- SEQUENCE of a course date's entries in public calendars: rises with every change of it.
  revision integer not null default 0,
  -- Former slugs, which lead to it (P3).
  aliases text[] not null default '{}',
  check (ends_on >= starts_on),
  check (ends_at > starts_at),
  check ((delivery = 'online') = (venue is null)),
  check (minimum <= capacity),
  check (enrolment_ends_on <= ends_on),
  -- P39: at least 14 days before the first day.
  check (decided_by <= starts_on - 14),
  constraint tentative_until_decided check (state <> 'tentative' or decided_by is not null)
);
create index on course_dates (course_id);
-- What jobs and the snapshot look for among all that is over: course dates to come, and offers of whose end nobody was
-- told.
create index on course_dates (ends_on);
create index on course_dates (starts_on);
create unique index on course_dates (calendar_id);
-- The first page asks which dates staff have to decide about: without the index it reads every date there ever was (P87).
create index on course_dates (decided_by) where state = 'tentative';
-- The first page asks for the next date of each course: without the index it reads all dates to come (P87).
create index on course_dates (course_id, starts_on);
-- Finds the dates that are held on some days: by first or last day alone, all past or all coming dates are read (P87).
create index on course_dates using gist (daterange(starts_on, ends_on, '[]'));
create index on course_dates using gin (aliases);

-- One that needs no decision is confirmed.
create function confirm_undecided() returns trigger language plpgsql as $$
begin
  if new.decided_by is null and new.state = 'tentative' then
    new.state := 'confirmed';
  end if;
  return new;
end $$;

create function check_capacity() returns trigger language plpgsql as $$
declare
  taken integer;
begin
  select sold + held + offered into strict taken from course_date_seats where course_date_id = new.id;
  if taken > new.capacity then
    raise exception 'course date % has % seats taken, its capacity cannot be %', new.id, taken, new.capacity
      using errcode = 'check_violation', constraint = 'seats_within_capacity';
  end if;
  return null;
end $$;

create function count_new_course_date() returns trigger language plpgsql as $$
begin
  insert into course_date_seats (course_date_id) values (new.id);
  return null;
end $$;

-- Which part of the snapshot has a change: capacity and state are read with the seats.
create function course_date_changed() returns trigger language plpgsql as $$
declare
  not_of_the_catalogue constant text[] := array['capacity', 'state', 'confirmed_on', 'held_anyway_at', 'joining_link',
    'revision', 'changed_at'];
begin
  if tg_op = 'INSERT' or to_jsonb(new) - not_of_the_catalogue <> to_jsonb(old) - not_of_the_catalogue then
    update snapshot_versions set version = version + 1 where part = 'catalogue';
  end if;
  if tg_op = 'UPDATE' and (new.capacity, new.state) <> (old.capacity, old.state) then
    update snapshot_versions set version = version + 1 where part = 'seats';
  end if;
  notify snapshot;
  return null;
end $$;

create function count_course_date_change() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  new.changed_at := now();
  return new;
end $$;

create trigger confirm_undecided before insert or update on course_dates
  for each row execute function confirm_undecided();
create trigger check_capacity after update of capacity on course_dates
  for each row execute function check_capacity();
-- At the end of the transaction, so that those who wait for the version's row do so while nothing else is to be locked.
create constraint trigger course_date_changed after insert or update on course_dates
  deferrable initially deferred for each row execute function course_date_changed();
create trigger count_new_course_date after insert on course_dates for each row execute function count_new_course_date();
-- After confirm_undecided, by its name.
create trigger count_course_date_change before update on course_dates
  for each row when (old.* is distinct from new.*) execute function count_course_date_change();

-- What staff were told of a course date by mail, once each. Apart from its row, whose changes public pages show.
create table course_date_notices (
  course_date_id bigint primary key references course_dates on delete cascade,
  -- That, though confirmed, it fell below its minimum; null again once it is above.
  below_minimum_at timestamptz,
  -- That its room or link is missing, and for which first day.
  joining_details_for date
);

-- Every week from the first day on, on its weekday. Without a row nothing is promised of a course.
create table live_hours (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  instructor_slug text not null references instructors (slug) on update cascade,
  -- Wall-clock in `zone`, an IANA name.
  starts_at time not null,
  minutes integer not null check (minutes between 15 and 240),
  zone text not null check (zone in ('Australia/Brisbane', 'Australia/Sydney', 'Australia/Melbourne')),
  -- For those with a place whose access runs: never on a public page, in a feed, in a mail or in a log.
  link text not null check (link ~ '^https://' and length(link) <= 500),
  first_on date not null,
  last_on date not null,
  -- Staff ended it: from this day on none is held. Null while it runs as planned.
  ended_from date,
  -- The days without it that staff named, each with the reason.
  days_off jsonb not null default '{}',
  calendar_id uuid not null default gen_random_uuid(),
  -- SEQUENCE of its calendar entries, and when it last rose.
  sequence integer not null default 0,
  changed_at timestamptz not null,
  check (last_on >= first_on),
  check (ended_from >= first_on)
);
create index on live_hours (course_id);
create index on live_hours (instructor_slug);

-- The page of the course says when its live hour is: a new revision makes processes read it anew.
create function live_hour_changed() returns trigger language plpgsql as $$
begin
  update courses set revision = revision where id = new.course_id;
  return null;
end $$;

create trigger live_hour_changed after insert or update on live_hours
  for each row execute function live_hour_changed();
