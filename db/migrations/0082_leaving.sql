-- phase: expand
-- A player closes their account; it is deleted seven days later unless they keep it (P58).

create table account_closures (
  person_id bigint primary key references people on delete cascade,
  asked_at timestamptz not null,
  delete_from timestamptz not null check (delete_from > asked_at),
  -- When all but what has to stay was deleted. The rest is looked at each day until nothing of it runs.
  deleted_at timestamptz,
  looked_at timestamptz
);
create index on account_closures (delete_from);
