-- phase: expand
-- E-mails say by id what they are about; reminders of places and the last run of each job have tables of their own.
alter table mails add column about_kind text;
alter table mails add column about_id bigint;
-- Both, or neither for a mail about nothing.
alter table mails add constraint mails_about check ((about_kind is null) = (about_id is null)) not valid;
-- allowed: e-mails are kept for weeks, so there are some thousands
create index on mails (about_kind, about_id);

-- Which reminders of places went out: their mails are erased before the places are over.
create table place_reminders (
  -- Place or buyer, first day and days before it, as the dedupe key of the mail.
  key text primary key,
  queued_at timestamptz not null
);

-- The last run of each periodic job, whichever process did it.
create table job_runs (
  job text primary key,
  every_seconds integer not null check (every_seconds > 0),
  started_at timestamptz not null,
  -- Null while it runs, and when its process ended meanwhile.
  ended_at timestamptz,
  -- As a whole: why is in job_faults.
  failed boolean not null default false
);
