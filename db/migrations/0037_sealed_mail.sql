-- E-mails name their private links instead of holding them (decision 55): each attempt makes them anew.
-- Mails from before hold their links in their words, and go out as they are.
alter table mails add column links text[] not null default '{}';

-- Further private links to what somebody fills in to enrol.
create table enrolment_draft_links (
  token_hash text primary key,
  draft_id bigint not null references enrolment_drafts on delete cascade
);
create index on enrolment_draft_links (draft_id);
