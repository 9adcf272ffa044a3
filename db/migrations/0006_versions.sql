-- The records of each import, so that the next one can tell changes in the files from changes in the database (P46);
-- and a version for each part of the snapshot, so that a sale or one edited course does not make all of it stale.

alter table catalogue_state rename to import_state;
create table imported_records (
  kind text not null,
  key text not null,
  value jsonb not null,
  primary key (kind, key)
);

-- `courses` rises with changes to courses and their dependent rows, `seats` with changes to the number of seats left,
-- `catalogue` with changes to everything else that public pages read.
create table snapshot_versions (
  part text primary key check (part in ('catalogue', 'courses', 'seats')),
  version bigint not null
);
insert into snapshot_versions select part, version from import_state, unnest(array['catalogue', 'courses', 'seats']) part;
alter table import_state drop column version;

create function snapshot_part_changed() returns trigger language plpgsql as $$
begin
  update snapshot_versions set version = version + 1 where part = tg_argv[0];
  notify snapshot;
  return null;
end $$;

do $$
declare name text;
begin
  foreach name in array array[
    'categories', 'tracks', 'instructors', 'certification_groups', 'certifications', 'combos', 'combo_courses',
    'combo_aliases', 'training_session_aliases', 'site_content'
  ] loop
    execute format(
      'create trigger snapshot_changed after insert or update or delete or truncate on %I
         for each statement execute function snapshot_part_changed(''catalogue'')', name);
  end loop;
end $$;

create trigger snapshot_changed after insert or update or delete or truncate on courses
  for each statement execute function snapshot_part_changed('courses');

create trigger snapshot_changed
  after insert or delete or truncate
  or update of slug, course_id, starts_on, ends_on, starts_at, ends_at, zone, delivery, venue, instructor_slug, retired_at
  on training_sessions
  for each statement execute function snapshot_part_changed('catalogue');
create trigger seats_changed after update of capacity on training_sessions
  for each statement execute function snapshot_part_changed('seats');

-- A changed dependent row, such as an alias, raises its course's revision, by which readers find changed courses.
create function course_part_changed() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    update courses set revision = revision where id in (select course_id from changed);
  end if;
  return null;
end $$;
do $$
declare name text;
begin
  foreach name in array array['course_aliases', 'course_tracks', 'course_relations'] loop
    execute format('create trigger course_part_added after insert on %I referencing new table as changed
      for each statement execute function course_part_changed()', name);
    execute format('create trigger course_part_changed after update on %I referencing new table as changed
      for each statement execute function course_part_changed()', name);
    execute format('create trigger course_part_removed after delete on %I referencing old table as changed
      for each statement execute function course_part_changed()', name);
  end loop;
end $$;
