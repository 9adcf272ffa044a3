-- What of a session's day is not taught, and by how many weeks it was moved beyond all others, past public holidays, when
-- it was first imported (P13): an export takes both moves back.
alter table training_sessions
  add column break_minutes integer not null default 0 check (break_minutes between 0 and 180),
  add column extra_weeks integer not null default 0 check (extra_weeks >= 0);

drop trigger snapshot_changed on training_sessions;
create trigger snapshot_changed
  after insert or delete or truncate
  or update of slug, course_id, starts_on, ends_on, starts_at, ends_at, break_minutes, zone, delivery, venue,
    instructor_slug, retired_at
  on training_sessions
  for each statement execute function snapshot_part_changed('catalogue');

-- A pass rate says whose it is (P6); null for one whose source nobody recorded.
alter table certifications add column pass_rate_source text;

-- A database that holds content has every list, if an empty one: readers ask for lists by name.
insert into site_content (name, body)
select name, '[]' from unnest(array['holidays', 'synonyms']) name
where exists (select from import_state where imported_at is not null)
on conflict (name) do nothing;
