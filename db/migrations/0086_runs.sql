-- phase: expand
-- Staff act on many at once (P79) and write to the people of a course date (P80). What is done for whom is fixed when the
-- button is pressed, so that a restart or a second process goes on with what is left. The release before writes none of it.

create table bulk_runs (
  id bigint generated always as identity primary key,
  act text not null check (act in ('message')),
  -- Of a message: to which course date, in whose words, and whether it is news and offers.
  training_session_id bigint references training_sessions,
  subject text check (length(subject) between 1 and 120),
  body text check (length(body) between 1 and 5000),
  marketing boolean not null default false,
  made_by bigint references people on delete set null,
  made_at timestamptz not null,
  -- Nothing is done before; until then it can be taken back as a whole.
  due_at timestamptz not null,
  stopped_at timestamptz,
  stopped_by bigint references people on delete set null,
  -- Nothing is left to do.
  ended_at timestamptz,
  check ((act = 'message') = (training_session_id is not null and subject is not null and body is not null)),
  check (due_at >= made_at)
);
create index on bulk_runs (due_at) where stopped_at is null and ended_at is null;
create index on bulk_runs (training_session_id);
create index on bulk_runs (made_by);
create index on bulk_runs (stopped_by);

-- For whom, by id alone: addresses and names are read when it is done, and what was erased meanwhile is left out.
create table bulk_run_items (
  id bigint generated always as identity primary key,
  run_id bigint not null references bulk_runs on delete cascade,
  about_kind text not null check (about_kind in ('attendee', 'enrolment', 'waiting-entry')),
  about_id bigint not null,
  state text not null default 'to-do' check (state in ('to-do', 'done', 'left-out')),
  -- Why it was left out: a reason of the program's own.
  why text check ((why is not null) = (state = 'left-out')),
  settled_at timestamptz check ((settled_at is null) = (state = 'to-do')),
  unique (run_id, about_kind, about_id)
);
create index on bulk_run_items (run_id) where state = 'to-do';
