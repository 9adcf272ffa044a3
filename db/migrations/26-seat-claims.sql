-- phase: expand
-- A new table, and a column that the release before neither reads nor writes.

-- Somebody who proved an address asks for a seat of an enrolment by its claim link (P115).
create table seat_claims (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  name text not null,
  email text not null,
  mailbox text not null,
  person_id bigint references people,
  claimed_at timestamptz not null,
  -- What the buyer said; null until then.
  answer text check (answer in ('yes', 'no')),
  unique (enrolment_id, mailbox)
);
create index on seat_claims (person_id);
create trigger set_person before insert or update of email on seat_claims
  for each row execute function set_person();

-- The code by which they prove it.
alter table email_codes add column enrolment_id bigint references enrolments on delete cascade;
alter table email_codes drop constraint of_draft_or_offer;
alter table email_codes add constraint of_one_thing check (num_nonnulls(draft_id, offer_id, enrolment_id) = 1) not valid;
