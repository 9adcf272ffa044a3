-- phase: expand
-- A player chooses what stands in their avenue, and may show their bower to everybody at a name of their own (P63).

create table bowers (
  person_id bigint primary key references people on delete cascade,
  -- Slug of the finished course that stands in the avenue; null for the first one finished.
  avenue text,
  -- Both null while it is private: the name is free for others then.
  name text check (length(name) between 2 and 30),
  slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  shown_at timestamptz,
  -- Staff took it from public view. It stays so until staff allow it again, whatever name is chosen.
  hidden_at timestamptz,
  hidden_by bigint references people on delete set null,
  hidden_why text check (length(hidden_why) between 1 and 500),
  check ((name is null) = (slug is null) and (name is null) = (shown_at is null)),
  check ((hidden_at is null) = (hidden_why is null))
);
create index on bowers (shown_at desc) where shown_at is not null;
create index on bowers (hidden_by);

-- What a visitor said about a public bower; erased with it.
create table bower_reports (
  id bigint generated always as identity primary key,
  person_id bigint not null references bowers on delete cascade,
  -- As it was when it was reported.
  name text not null,
  reason text not null check (length(reason) between 1 and 1000),
  -- The form it came in: sent again, it is one report.
  idempotency_key uuid not null unique,
  reported_at timestamptz not null,
  settled_at timestamptz,
  settled_by bigint references people on delete set null
);
create index on bower_reports (person_id);
create index on bower_reports (settled_by);
create index on bower_reports (reported_at desc) where settled_at is null;
