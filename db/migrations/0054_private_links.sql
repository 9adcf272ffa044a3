-- phase: expand
-- allowed: the five tables of links and a column of hashes are dropped in the same step, so that no link is in two places; the former release has to be stopped first
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
  -- Unknown of links from before there was this table.
  made_at timestamptz default now(),
  check (num_nonnulls(booking_id, conversation_id, waiting_entry_id, enrolment_draft_id, enrolment_id) = 1),
  check (attendee_id is null or enrolment_id is not null)
);

insert into private_links (token_hash, booking_id, made_at) select token_hash, booking_id, null from booking_links;
insert into private_links (token_hash, conversation_id, made_at)
  select token_hash, conversation_id, null from conversation_links;
insert into private_links (token_hash, waiting_entry_id, made_at) select token_hash, entry_id, null from waiting_links;
insert into private_links (token_hash, enrolment_draft_id, made_at)
  select token_hash, draft_id, null from enrolment_draft_links;
insert into private_links (token_hash, enrolment_id, attendee_id, made_at)
  select token_hash, enrolment_id, attendee_id, null from enrolment_links;

create index on private_links (booking_id) where booking_id is not null;
create index on private_links (conversation_id) where conversation_id is not null;
create index on private_links (waiting_entry_id) where waiting_entry_id is not null;
create index on private_links (enrolment_draft_id) where enrolment_draft_id is not null;
create index on private_links (enrolment_id) where enrolment_id is not null;
create index on private_links (attendee_id) where attendee_id is not null;

drop table booking_links, conversation_links, waiting_links, enrolment_draft_links, enrolment_links;

-- Forms of staff are known by their keys in desk_forms, whatever they are about (P25); visitors' messages as before.
alter table enquiry_acts drop column form_hash;
alter table conversation_messages alter column form_hash drop not null;
