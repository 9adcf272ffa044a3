-- phase: expand
-- A new table and new columns that the release before neither reads nor writes.

-- Somebody asks their employer to pay (P113), by an offer to the employer with the words of the person above its price.
create table employer_requests (
  id bigint generated always as identity primary key,
  -- Its newest version.
  offer_id bigint not null unique references offers on delete cascade,
  -- Who asks, and would attend; they proved the address.
  name text not null,
  email text not null,
  person_id bigint references people,
  made_at timestamptz not null,
  -- What the employer asked last.
  question text,
  -- When both were asked what came of the course, and what they wrote.
  followed_up_at timestamptz,
  asker_answer text,
  employer_answer text,
  check (followed_up_at is not null or (asker_answer is null and employer_answer is null))
);
create index on employer_requests (person_id);
create trigger set_person before insert or update of email on employer_requests
  for each row execute function set_person();

-- Who attends, as far as it was typed before the offer: nobody types it again. Null once the offer has ended.
alter table offers add column attendees jsonb;

-- The asker's private link.
alter table private_links add column employer_request_id bigint references employer_requests on delete cascade;
alter table private_links drop constraint private_links_check;
alter table private_links add constraint private_links_check check (num_nonnulls(
  booking_id, conversation_id, waiting_entry_id, enrolment_draft_id, enrolment_id, offer_id, employer_request_id) = 1)
  not valid;
