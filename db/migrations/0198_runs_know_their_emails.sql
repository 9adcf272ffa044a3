-- phase: expand
-- An act on many keeps which email each item became, so that its page can say what arrived, and everybody who shares an
-- address: the others get the email when the first one has left. The release before writes none of it.
-- allowed: a row for each act on many
alter table bulk_runs
  -- To what an email goes once; null of acts on enrolments, and of runs from before.
  add column once_for text check (once_for in ('address', 'address and date')),
  -- Its words name somebody who was erased before it was done: they are erased when it is over.
  add column erase_when_over boolean not null default false;
alter table bulk_run_items
  -- Mails are kept for some weeks only.
  add column mail_id uuid;
