-- Nobody is flooded by what a stranger types (P24, P49).

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

-- No address is given an hour more than one ahead.
update mail_acknowledgements set last_at = least(last_at, now() + interval '1 hour');

-- From when on somebody who joined can be sent the mail with their link: the hour of their address was taken when they
-- joined. Null: it was sent. What stood here before was told.
alter table waiting_entries add column tell_from timestamptz;
create index on waiting_entries (tell_from)
  where tell_from is not null and confirmed_at is null and closed_at is null;
create index on waiting_entries (mailbox) where tell_from is not null;

-- How often its buyer had invoices of an enrolment issued anew by correcting what they say (P30).
alter table enrolments add column corrections integer not null default 0;

-- The addresses that were named for copies of the invoices of an enrolment (P30), and since when somebody who reads their
-- mail agreed to that. Nothing else is sent to an address before.
create table accounts_addresses (
  enrolment_id bigint not null references enrolments on delete cascade,
  -- In lower case.
  email text not null,
  -- SHA-256 of the token of its link, base64url.
  token_hash text not null unique,
  named_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (enrolment_id, email)
);
-- Addresses from before have had their copies already. Nobody has a link to those.
insert into accounts_addresses (enrolment_id, email, token_hash, named_at, confirmed_at)
  select id, lower(accounts_email), 'from before ' || id, changed_at, changed_at
  from enrolments where accounts_email is not null;
