-- People who can sign in; for now those are staff. better-auth reads and writes the first three tables under names of
-- ours (app/features/accounts/sign-ins.server.ts).
create table people (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null,
  image text,
  -- Null: not staff, or no longer. The row stays, because the history of what staff did refers to it.
  role text check (role in ('owner')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table sign_ins (
  id bigint generated always as identity primary key,
  token text not null unique,
  person_id bigint not null references people on delete cascade,
  -- Moved on while the sign-in is used.
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on sign_ins (person_id);
create index on sign_ins (expires_at);

-- Links to sign in that were not used yet: the identifier holds the hash of the link's secret.
create table verifications (
  id bigint generated always as identity primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on verifications (identifier);
create index on verifications (expires_at);

-- What staff did, by whom and when. Holds references only, so that erasing what an entry is about leaves no trace of it.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Null: done from the command line.
  person_id bigint references people,
  action text not null,
  -- Kind and reference of what it was done to, such as enquiry:BB-7KQ2MX.
  subject text not null,
  details jsonb not null
);
create index on audit_entries (subject, id);
create index on audit_entries (at);
