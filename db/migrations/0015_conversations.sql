-- Conversations between visitors and staff (P20).
create table conversations (
  id bigint generated always as identity primary key,
  name text,
  -- Without one the visitor cannot be told of an answer.
  email text,
  -- The address in lower case without what is behind a plus sign: one recipient is told at most once an hour.
  mailbox text,
  -- What the page was about from which the visitor came, such as a course's title.
  about text,
  -- Waiting: the visitor wrote last, or a member of staff opened it again.
  state text not null default 'waiting' check (state in ('waiting', 'answered', 'closed')),
  state_at timestamptz not null,
  state_by bigint references people,
  created_at timestamptz not null,
  -- When anything was last written; decides on erasing.
  last_at timestamptz not null,
  -- The last message the visitor's page has shown, and when that page last asked.
  visitor_read bigint not null default 0,
  visitor_at timestamptz not null,
  -- The last answer of which the visitor was told by e-mail, and when.
  told_of bigint not null default 0,
  told_at timestamptz,
  -- When the academy was told by e-mail that the conversation waits.
  noticed_at timestamptz,
  words tsvector not null generated always as (
    to_tsvector(
      'simple'::regconfig,
      regexp_replace(coalesce(name, '') || ' ' || coalesce(email, ''), '[!-/:-@[-`{-~]+', ' ', 'g'))
  ) stored
);
create index on conversations (state, last_at);
create index on conversations (last_at);
create index on conversations (lower(email));
create index on conversations (mailbox, told_at);
create index on conversations using gin (words);

-- What was written and done, in order. The conversation's row is locked before one is added, so ids are in that order.
create table conversation_messages (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references conversations on delete cascade,
  -- visitor and answer are read by both sides, note only by staff; closed and opened have no text.
  kind text not null check (kind in ('visitor', 'answer', 'note', 'closed', 'opened')),
  body text,
  -- Who of staff; null for the visitor.
  person_id bigint references people,
  -- Hash of the form's key and of what was typed: the same is stored once, however often it is sent (P25).
  form_hash text not null unique,
  created_at timestamptz not null,
  words tsvector not null generated always as (
    to_tsvector('simple'::regconfig, regexp_replace(coalesce(body, ''), '[!-/:-@[-`{-~]+', ' ', 'g'))
  ) stored,
  check ((kind in ('closed', 'opened')) = (body is null)),
  check ((kind = 'visitor') = (person_id is null))
);
create index on conversation_messages (conversation_id, id);
create index on conversation_messages using gin (words);

-- Private links to a conversation. Each mail has its own, because only the hash of its token is kept.
create table conversation_links (
  -- SHA-256 of the token, base64url.
  token_hash text primary key,
  conversation_id bigint not null references conversations on delete cascade
);
create index on conversation_links (conversation_id);

-- When each member of staff last had a page for staff open.
create table staff_presence (
  person_id bigint primary key references people on delete cascade,
  seen_at timestamptz not null
);
