-- phase: expand
-- A zone that no clock knows would stop the job that reminds of places, for everybody (P14). A name with a slash, as browsers
-- know them too, and one that this server has; it raises an error for any other.
alter table training_sessions add constraint training_sessions_zone
  check (zone ~ '/' and timezone(zone, timestamp '2000-01-01 00:00') is not null) not valid;
