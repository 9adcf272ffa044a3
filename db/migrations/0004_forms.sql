-- A repeat is the same body within a day; a changed body under the same form is a correction of the first (decision 14).
alter table enquiries
  drop constraint enquiries_idempotency_key_key,
  -- Hash of what was typed, while a repeat of it is answered with this enquiry; null afterwards.
  add column body_hash text unique,
  -- The first enquiry of the same form. Erased together with it.
  add column corrects text references enquiries (reference) on delete cascade;
create unique index enquiries_first_of_a_form on enquiries (idempotency_key, kind) where corrects is null;
create index on enquiries (corrects);

-- How many forms each network sent in its current window, shared by all processes. Unlogged: a crash may empty it.
create unlogged table form_attempts (
  -- Keyed hash of the address or of its IPv6 network.
  network text primary key,
  attempts integer not null,
  ends_at timestamptz not null
);
create index on form_attempts (ends_at);

-- The last day (in Brisbane) on which a daily job was done, so that several processes do it once.
create table daily_jobs (
  name text primary key,
  last_day date not null
);
