-- What visitors send. Staff read it with `npm run enquiries` until there is a back office.
create table enquiries (
  id bigint generated always as identity primary key,
  -- BB- and six characters without 0, O, 1 and I (P23).
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  kind text not null check (kind in ('contact', 'booking', 'tour', 'chat', 'enrolment')),
  -- One form sends one enquiry, however often it is submitted (P25).
  idempotency_key uuid not null unique,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  message text,
  marketing_consent boolean not null,
  -- What only its kind has: interest, preferred time, what is to be enrolled in.
  details jsonb not null,
  created_at timestamptz not null
);
create index on enquiries (created_at);

-- Keys the program makes for itself once, shared by every process on the database.
create table program_secrets (
  name text primary key,
  value text not null
);
