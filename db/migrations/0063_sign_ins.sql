-- phase: expand
-- allowed: the tables of sign-ins are made anew with other columns, and the old ones go in the same step, so that no sign-in is in two places; the former release has to be stopped first, and staff sign in again
-- Sign-ins of players and staff (P50 to P54). Secrets are stored as hashes only.
drop table sign_ins, verifications, sign_in_requests;

-- Whoever has an account as a player: made at the first sign-in. The person is not forgotten while it stands.
create table players (
  person_id bigint primary key references people,
  since timestamptz not null
);

-- Nothing but a mail proves the address until one did: since a role was granted.
alter table people add column mail_proof_due boolean not null default false;

create table sign_ins (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token in the cookie, base64url.
  token_hash text not null unique,
  person_id bigint not null references people on delete cascade,
  audience text not null check (audience in ('player', 'staff')),
  -- What is still asked for: the second factor, or that one is set up. Null: nothing, the person is signed in.
  awaits text check (awaits in ('factor', 'set-up')),
  -- Where to lead once nothing is asked for any more.
  leads_to text not null,
  -- Such as "Firefox on Linux".
  browser text not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  -- Moved on while the sign-in is used; never behind ends_at.
  idle_until timestamptz not null,
  ends_at timestamptz not null,
  -- When the person last showed all that is asked for (P54).
  proved_at timestamptz not null
);
create index on sign_ins (person_id);
create index on sign_ins (idle_until);

-- Who asked for a link and a code, in which browser. A row is made for every address; the job decides who gets a mail.
create table sign_in_asks (
  id bigint generated always as identity primary key,
  audience text not null check (audience in ('player', 'staff')),
  email text not null check (email = lower(email)),
  -- SHA-256 of the cookie of the browser that asked.
  browser_hash text not null unique,
  leads_to text not null,
  asked_at timestamptz not null,
  -- Whether the job has looked at it. Null hashes afterwards: nobody got a mail.
  taken boolean not null default false,
  link_hash text unique,
  -- Keyed, because a million codes are tried in no time.
  code_hash text,
  tries integer not null default 0
);
create index on sign_in_asks (email);
create index on sign_in_asks (asked_at);

-- A second factor by codes of an app (RFC 6238). Not confirmed until the first code was right.
create table totp_keys (
  person_id bigint primary key references people on delete cascade,
  -- Base32.
  secret text not null,
  made_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none is taken twice.
  last_step bigint not null default 0
);

-- Each once, in place of a code of the app.
create table recovery_codes (
  code_hash text primary key,
  person_id bigint not null references people on delete cascade
);
create index on recovery_codes (person_id);

create table passwords (
  person_id bigint primary key references people on delete cascade,
  -- scrypt with its cost and salt.
  hash text not null,
  set_at timestamptz not null
);

create table passkeys (
  -- The credential's id as browsers give it, base64url.
  id text primary key,
  person_id bigint not null references people on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  added_at timestamptz not null,
  used_at timestamptz
);
create index on passkeys (person_id);

-- What a passkey has to sign; each once.
create table passkey_challenges (
  challenge text primary key,
  -- The sign-in that asked: to add a passkey, or to show one as the second factor. Null: to sign in.
  sign_in_id bigint references sign_ins on delete cascade,
  made_at timestamptz not null
);
create index on passkey_challenges (made_at);
create index on passkey_challenges (sign_in_id);

-- Another address of a player's, until the link mailed there was used.
create table address_asks (
  link_hash text primary key,
  person_id bigint not null references people on delete cascade,
  email text not null check (email = lower(email)),
  asked_at timestamptz not null
);
create index on address_asks (person_id);

-- What a player changed of how they sign in, for seven days: by the link "this was not me" it is as before (P54).
create table account_changes (
  id bigint generated always as identity primary key,
  person_id bigint not null references people on delete cascade,
  what text not null,
  link_hash text not null unique,
  -- Addresses, password, passkeys and second factor as they were.
  before jsonb not null,
  made_at timestamptz not null
);
create index on account_changes (person_id);
create index on account_changes (made_at);
