-- phase: expand
-- Adds the weekly live hour of guided study (P60), who said that they cannot come (P56), and from when on a place is
-- somebody else's (P64). The release before writes none of them.

-- Every week from the first day on, on its weekday. Without a row nothing is promised of a course.
create table live_hours (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  instructor_slug text not null references instructors on update cascade,
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
  calendar_id uuid not null default gen_random_uuid(),
  -- SEQUENCE of its calendar entries, and when it last rose.
  sequence integer not null default 0,
  changed_at timestamptz not null,
  check (last_on >= first_on),
  check (ended_from >= first_on)
);
create index on live_hours (course_id);
create index on live_hours (instructor_slug);

-- A week without it, named by staff.
create table live_hour_days_off (
  live_hour_id bigint not null references live_hours on delete cascade,
  day date not null,
  reason text not null check (length(reason) between 1 and 200),
  primary key (live_hour_id, day)
);

-- The course's page says when its live hour is, so it is read anew with the course.
create trigger course_part_added after insert on live_hours referencing new table as changed
  for each statement execute function course_part_changed();
create trigger course_part_changed after update on live_hours referencing new table as changed
  for each statement execute function course_part_changed();
create trigger course_part_removed after delete on live_hours referencing old table as changed
  for each statement execute function course_part_changed();

-- An attendee said that they cannot come on some days of their training session: once a day.
create table absence_notices (
  id bigint generated always as identity primary key,
  place_id bigint not null references places on delete cascade,
  -- The day in Brisbane on which it was said.
  told_on date not null,
  told_at timestamptz not null,
  days date[] not null check (cardinality(days) between 1 and 60),
  -- What they wrote; null for nothing, and once they were erased.
  note text check (length(note) between 1 and 500),
  unique (place_id, told_on)
);

-- An attendee's places were given to another person. What was attended, handed in and earned before is not theirs.
create table attendee_handovers (
  id bigint generated always as identity primary key,
  attendee_id bigint not null references attendees on delete cascade,
  at timestamptz not null,
  -- Null where no address was known of them.
  person_before bigint references people on delete set null
);
create index on attendee_handovers (attendee_id, at desc);
create index on attendee_handovers (person_before);
