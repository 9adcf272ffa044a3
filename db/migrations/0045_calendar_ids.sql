-- The UID of a calendar entry must be unique in the world (RFC 5545, 3.8.4.7): numbers of rows are the same in every
-- database. What has been written so far keeps its number, null here, because calendars already hold it under that UID.
alter table training_sessions add column calendar_id uuid;
alter table training_sessions alter column calendar_id set default gen_random_uuid();
create unique index on training_sessions (calendar_id);
alter table places add column calendar_id uuid;
alter table places alter column calendar_id set default gen_random_uuid();
alter table bookings add column calendar_id uuid;
alter table bookings alter column calendar_id set default gen_random_uuid();

-- SEQUENCE of a session's entries in public calendars: rises with every change of it.
alter table training_sessions add column revision integer not null default 0;
create function count_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger count_revision before update on training_sessions
  for each row when (old.* is distinct from new.*) execute function count_revision();
