-- The outbox: e-mails put in the transaction of what they report (P26). The queue itself lies in the schema pgboss.
create table mails (
  id uuid primary key default gen_random_uuid(),
  -- Which e-mail it is, such as contact-acknowledgement.
  kind text not null,
  recipient text not null,
  reply_to text,
  subject text not null,
  body_text text not null,
  body_html text not null,
  -- Method and text of a calendar part (RFC 5546), or null.
  calendar jsonb,
  headers jsonb not null,
  -- Set at the first attempt and the same for each further one (P49).
  message_id text,
  -- Not sent after this instant (P49).
  stale_after timestamptz,
  -- A second mail with the same key is not queued.
  dedupe_key text unique,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  -- Why it failed or was dropped, in the words of the server or of the program.
  reason text,
  queued_at timestamptz not null default now(),
  -- When it was last queued: the day of retries runs from here.
  tries_from timestamptz not null default now(),
  settled_at timestamptz
);
create index on mails (settled_at);
create index on mails (lower(recipient));
create index on mails (queued_at) where state = 'failed';

-- Written before an attempt and completed after it: one without an end was cut off, and may have been delivered.
create table mail_attempts (
  mail_id uuid not null references mails (id) on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- unknown: the connection broke off or the answer did not come in time, so the server may have taken it.
  outcome text check (outcome in ('delivered', 'deferred', 'refused', 'unknown')),
  answer text,
  primary key (mail_id, number)
);

-- When an address that somebody typed was last sent an acknowledgement (P24); addresses as keyed hashes.
create table mail_acknowledgements (
  recipient text primary key,
  last_at timestamptz not null
);
create index on mail_acknowledgements (last_at);
