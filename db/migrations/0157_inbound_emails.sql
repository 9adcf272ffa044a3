-- phase: expand
-- Emails that people write to the academy are messages like those of the forms (P81, decision 152). The release before
-- lists them without what is here.
alter table enquiries drop constraint enquiries_kind_check;
alter table enquiries add constraint enquiries_kind
  check (kind in ('contact', 'booking', 'tour', 'chat', 'enrolment', 'email')) not valid;

-- What only an email has.
create table inbound_emails (
  enquiry_id bigint primary key references enquiries on delete cascade,
  -- As its sender's program named it.
  message_id text,
  subject text not null,
  -- The sender, where answers go to another address.
  sender text,
  -- The first message of the conversation that it continues.
  thread_of bigint references enquiries on delete set null,
  -- The email of ours that it answers and to whom that went; and what the conversation is about.
  answers_subject text,
  answers_recipient text,
  about_kind text,
  about_id bigint,
  -- A program wrote it, such as an out-of-office reply: nobody waits for an answer.
  automatic boolean not null,
  -- Name, type and bytes of each file that came with it, in its order.
  files jsonb not null,
  -- As it came. Its files are read from here.
  source bytea not null
);
create index on inbound_emails (message_id);
create index on inbound_emails (thread_of) where thread_of is not null;
create index on inbound_emails (about_kind, about_id) where about_id is not null;
