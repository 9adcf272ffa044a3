-- What a periodic job could not do: one row an item, until the job has done it. Staff see it; the others go on.
create table job_faults (
  job text not null,
  -- Kind and id of what it was about, such as `place:12`; never what a person typed.
  item text not null,
  message text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1 check (times >= 1),
  -- When it was written to the log and staff were told, once.
  told_at timestamptz,
  primary key (job, item)
);
