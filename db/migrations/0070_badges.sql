-- phase: expand
-- Adds what Open Badges are signed with, the badges as they were signed, and the lists of those that do not hold (P66).

-- Keys are kept for ever: a badge names the one it was signed with. The last one that is not compromised signs.
create table badge_keys (
  id bigint generated always as identity primary key,
  -- What follows the # in its id, such as key-1.
  name text not null unique check (name ~ '^key-\d+$'),
  -- Multikey, multibase.
  public_key text not null unique,
  -- The private key, sealed with a secret of the program; null once it was compromised.
  sealed_key text,
  made_at timestamptz not null,
  -- From this day on others may have had it.
  compromised_on date,
  check ((sealed_key is null) = (compromised_on is not null))
);

-- A list of bits, one a badge; those of badges that do not hold are set. Made anew each day and with each change.
create table badge_lists (
  id bigint generated always as identity primary key,
  -- The signed list as it is served; null before the first time.
  credential text,
  -- A hash of what was signed and with which key, to see whether it changed.
  signed_for text,
  signed_at timestamptz
);

create table certificate_badges (
  certificate_id bigint primary key references certificates,
  list_id bigint not null references badge_lists,
  list_index integer not null check (list_index between 0 and 131071),
  -- The badge as it is served, byte by byte; null before it is signed, and once its holder was erased.
  credential text,
  key_id bigint references badge_keys,
  -- The public origin it names; after a move to another one it is signed anew.
  origin text,
  signed_at timestamptz,
  check ((credential is null) = (key_id is null)),
  check ((credential is null) = (origin is null)),
  check ((credential is null) = (signed_at is null)),
  unique (list_id, list_index)
);
create index on certificate_badges (key_id);
