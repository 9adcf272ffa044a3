-- P39, P40: the way into the class of a training session, whether it is held although too few have enrolled, and choices
-- that end before the session begins.

alter table training_sessions
  add column room text check (room <> '' and char_length(room) <= 100),
  add column street text check (street <> '' and char_length(street) <= 200),
  -- Private: only pages of private links, their mails and calendar files have it.
  add column joining_link text check (joining_link ~ '^https://[^[:space:]]+$' and char_length(joining_link) <= 500),
  -- When staff decided that it is held, however many have enrolled.
  add column held_anyway_at timestamptz;

-- What staff were told of a session by mail, once each. Apart from its row, whose changes public pages show.
create table session_notices (
  training_session_id bigint primary key references training_sessions on delete cascade,
  -- That, though confirmed, it fell below its minimum; null again once it is above.
  below_minimum_at timestamptz,
  -- That its room or link is missing, and for which first day.
  way_in_for date
);

-- Those that staff confirmed themselves were held anyway.
update training_sessions set held_anyway_at = entry.at
from (select subject, min(at) as at from audit_entries where action = 'confirm-session' group by subject) entry
where entry.subject = 'training-session:' || training_sessions.slug;

drop trigger snapshot_changed on training_sessions;
create trigger snapshot_changed
  after insert or delete or truncate
  or update of slug, course_id, starts_on, ends_on, starts_at, ends_at, break_minutes, zone, delivery, venue, room, street,
    instructor_slug, retired_at, minimum, decided_by, enrolment_ends_on
  on training_sessions
  for each statement execute function snapshot_part_changed('catalogue');

-- Public pages say until when seats are held.
create constraint trigger hold_extended after update of expires_at on seat_holds
  deferrable initially deferred for each row
  when (old.expires_at is distinct from new.expires_at and new.ended_at is null)
  execute function snapshot_part_changed('seats');

-- Silence about a session that takes place keeps the place, so nobody chooses any more once it has begun.
update places set choose_by = session.starts_on - 1
from training_sessions session
where session.id = training_session_id and choose_why = 'session-moved' and choose_by >= session.starts_on;
