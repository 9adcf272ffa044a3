-- Every reference that was ever given out, whatever it stands for (P23): none is given out twice, erased ones included.
create table issued_references (
  reference text primary key
);

-- Private links of every kind in one table (P32). Each mail has its own, because only the hash of its token is kept.
create table private_links (
  -- SHA-256 of the token, base64url.
  token_hash text primary key,
  booking_id bigint references bookings on delete cascade,
  conversation_id bigint references conversations on delete cascade,
  waiting_entry_id bigint references waiting_entries on delete cascade,
  enrolment_draft_id bigint references enrolment_drafts on delete cascade,
  enrolment_id bigint references enrolments on delete cascade,
  -- The attendee's link to their own places; without one the enrolment's link is the buyer's.
  attendee_id bigint references attendees on delete cascade,
  made_at timestamptz not null default now(),
  -- Lets an account lead to the private pages of what its player bought and attends (P56), for as long as they are signed in.
  sign_in_id bigint references sign_ins on delete cascade,
  check (num_nonnulls(booking_id, conversation_id, waiting_entry_id, enrolment_draft_id, enrolment_id) = 1),
  check (attendee_id is null or enrolment_id is not null)
);
create index on private_links (booking_id) where booking_id is not null;
create index on private_links (conversation_id) where conversation_id is not null;
create index on private_links (waiting_entry_id) where waiting_entry_id is not null;
create index on private_links (enrolment_draft_id) where enrolment_draft_id is not null;
create index on private_links (enrolment_id) where enrolment_id is not null;
create index on private_links (attendee_id) where attendee_id is not null;
create index on private_links (sign_in_id) where sign_in_id is not null;

-- How many forms each network sent in its current window, shared by all processes. Unlogged: a crash may empty it.
create unlogged table form_attempts (
  -- Keyed hash of the address or of its IPv6 network.
  network text primary key,
  attempts integer not null,
  ends_at timestamptz not null
);
create index on form_attempts (ends_at);

-- Keys of submitted forms of staff: the same form is acted on once (P25).
create table submitted_staff_forms (
  key uuid primary key,
  submitted_at timestamptz not null
);
create index on submitted_staff_forms (submitted_at);

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
  settled_at timestamptz,
  -- Mails that hold a link by which somebody signs in or changes a booking: what they say is erased once they are settled.
  secret boolean not null default false,
  -- Documents that are made again from stored facts whenever the mail is sent: [{"filename": …, "document": …}].
  attachments jsonb not null default '[]',
  -- Names of its private links, which each attempt makes anew.
  links text[] not null default '{}',
  -- E-mails say by id what they are about; reminders of places and the last run of each job have tables of their own.
  about_kind text,
  about_id bigint,
  -- Whether staff may take it back while it waits.
  can_take_back boolean not null default false,
  -- The bulk action that it belongs to: all its emails are taken back together.
  bulk_action bigint references bulk_actions,
  -- The course date that a message of staff names: not sent once that is cancelled or moved.
  course_date_id bigint references course_dates,
  -- When a mail server reported that a mail could not be delivered after all, also while it was still on its way: what ends
  -- later says nothing else then. Sending it again empties it.
  came_back_at timestamptz,
  check ((about_kind is null) = (about_id is null))
);
create index on mails (settled_at);
create index on mails (lower(recipient));
create index on mails (queued_at) where state = 'failed';
create index on mails (stale_after) where secret and body_text <> '';
create index on mails (about_kind, about_id);
create index on mails (bulk_action) where bulk_action is not null;
create index on mails (course_date_id) where course_date_id is not null;

-- Written before an attempt and completed after it: one without an end was cut off, and may have been delivered.
create table mail_attempts (
  mail_id uuid not null references mails on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- unknown: the connection broke off or the answer did not come in time, so the server may have taken it.
  outcome text check (outcome in ('delivered', 'deferred', 'refused', 'unknown')),
  answer text,
  primary key (mail_id, number)
);

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
  check_after timestamptz not null default to_timestamp((0)::double precision),
  -- Since a restore: mail waits until an owner sends it again, but for codes and links asked for since (P92).
  held_since timestamptz
);

insert into mail_server default values;

-- What was mailed, or done by a private link, within a day, so that it can be counted; the keys hold addresses as keyed
-- hashes only.
create table mail_counts (
  id bigint generated always as identity primary key,
  -- What is counted and for whom, such as `email-code:` with the hash of a mailbox.
  key text not null,
  at timestamptz not null
);
create index on mail_counts (key, at);
create index on mail_counts (at);

-- Who is not to be sent marketing again; the address itself is not kept.
create table mail_suppressions (
  address_hash text primary key,
  since timestamptz not null
);

-- Who agreed to marketing, to which words and when; deleted when withdrawn (P49).
create table marketing_consents (
  -- Keyed hash of the address, by which an unsubscribe link names it.
  address_hash text primary key,
  address text not null,
  wording text not null,
  given_at timestamptz not null,
  person_id bigint references people
);
create index on marketing_consents (person_id);

create function set_person_of_consent() returns trigger language plpgsql as $$
begin
  new.person_id := person_of(new.address);
  return new;
end $$;

create trigger set_person before insert or update of address on marketing_consents
  for each row execute function set_person_of_consent();

-- Codes sent to confirm an address.
create table email_codes (
  id bigint generated always as identity primary key,
  draft_id bigint not null references enrolment_drafts on delete cascade,
  email text not null,
  code_hash text not null,
  sent_at timestamptz not null,
  tries integer not null default 0 check (tries between 0 and 5),
  used_at timestamptz,
  -- A code holds for a quarter of an hour from when its mail was handed over (P28).
  mail_id uuid references mails on delete set null
);
create index on email_codes (draft_id);
create index on email_codes (mail_id);

-- The last day (in Brisbane) on which a daily job was done, so that several processes do it once.
create table daily_jobs (
  name text primary key,
  last_day date not null
);

-- The last run of each periodic job, whichever process did it.
create table job_runs (
  job text primary key,
  every_seconds integer not null check (every_seconds > 0),
  started_at timestamptz not null,
  -- Null while it runs, and when its process ended meanwhile.
  ended_at timestamptz,
  -- As a whole: why is in job_faults.
  failed boolean not null default false
);

-- What a periodic job could not do: one row an item, until the job has done it. Staff see it; the others go on.
create table job_faults (
  job text not null,
  -- Kind and id of what it was about, such as `place:12`; never what a person typed.
  item text not null,
  message text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1 check (times >= 1),
  -- When it was written to the log and staff were told, once.
  told_at timestamptz,
  -- Written to the log at once; staff are told of those since the last e-mail, once an hour at most.
  logged_at timestamptz,
  primary key (job, item)
);
create index on job_faults (told_at);

-- Keys the program makes for itself once, shared by every process on the database.
create table program_secrets (
  name text primary key,
  value text not null
);

-- Tables from which something was erased: their files hold it until they are written anew.
create table tables_to_rewrite (
  name text primary key,
  since timestamptz not null default now(),
  -- Rises with each erasing, so that one during the rewriting is not missed.
  times integer not null default 1
);
