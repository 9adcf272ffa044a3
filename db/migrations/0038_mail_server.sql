-- What is known of the mail server, one row for all programs on this database (P49, P94).
create table mail_server (
  id boolean primary key default true check (id),
  -- Since when it has not answered; null while it answers.
  away_since timestamptz,
  -- It answers when asked, but not about mails: it counts as back only when it has answered about one.
  silent boolean not null default false,
  -- What came instead of an answer the last time.
  answer text,
  -- When it last answered, noted once a minute at most.
  answered_at timestamptz,
  -- Whoever asks it next does so then, and puts this off first.
  check_after timestamptz not null default to_timestamp(0)
);
insert into mail_server default values;

-- A code holds for a quarter of an hour from when its mail was handed over (P28).
alter table email_codes add column mail_id uuid references mails (id) on delete set null;
create index on email_codes (mail_id);
