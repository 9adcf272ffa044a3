-- phase: expand
-- Staff act on many enrolments that they chose in a list (P79): reminders of payment, names that are missing, more time to
-- pay, messages. What staff wrote has a period of keeping. The release before writes messages to course dates only.

-- allowed: a row for each act on many
alter table bulk_runs
  drop constraint bulk_runs_act_check,
  drop constraint bulk_runs_check,
  add constraint bulk_runs_act_check check (act in ('message', 'write', 'remind', 'ask-names', 'more-time')),
  -- The form by which it was asked for: pressed twice, it is one run.
  add column form uuid unique,
  -- Of more time to pay: the new day, and why.
  add column until date,
  add column reason text check (length(reason) between 1 and 500),
  -- Since when what staff wrote is gone.
  add column words_erased_at timestamptz,
  add constraint bulk_runs_session_check check ((act = 'message') = (training_session_id is not null)),
  add constraint bulk_runs_until_check check ((act = 'more-time') = (until is not null)),
  add constraint bulk_runs_words_check check (
    case when words_erased_at is null
      then (act in ('message', 'write')) = (subject is not null and body is not null)
        and (act = 'more-time') = (reason is not null)
      else subject is null and body is null and reason is null end);

-- An item at which the program failed is tried again, and given up in the end.
-- allowed: no rewriting, as the default is the same for all
alter table bulk_run_items add column tries smallint not null default 0;

-- Who was asked lately.
-- allowed: some rows for each act on many
create index on bulk_run_items (about_kind, about_id);
