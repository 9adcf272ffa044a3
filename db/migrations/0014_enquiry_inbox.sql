-- How far staff are with an enquiry, and what they did about it.
alter table enquiries
  add column state text not null default 'new' check (state in ('new', 'answered', 'closed')),
  add column state_at timestamptz,
  add column state_by bigint references people,
  -- The words staff search by; punctuation separates them, so that the parts of an e-mail address are words as well.
  add column words tsvector not null generated always as (
    to_tsvector(
      'simple'::regconfig,
      regexp_replace(
        reference || ' ' || first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(phone, '') || ' '
          || coalesce(message, ''),
        '[!-/:-@[-`{-~]+', ' ', 'g'))
  ) stored;
create index on enquiries (state, id);
create index on enquiries (kind, id);
create index on enquiries using gin (words);

-- Answers, notes and changes of state, in the order in which they were made.
create table enquiry_acts (
  id bigint generated always as identity primary key,
  enquiry_id bigint not null references enquiries on delete cascade,
  kind text not null check (kind in ('answer', 'note', 'state')),
  -- What was answered or noted.
  body text,
  -- The state the enquiry was in afterwards, where the act changed it.
  state text check (state in ('new', 'answered', 'closed')),
  person_id bigint not null references people,
  -- Hash of the form's key and of what was typed: the same is stored once, however often it is sent (P25).
  form_hash text not null unique,
  created_at timestamptz not null,
  check ((kind = 'state') = (body is null)),
  check (kind <> 'state' or state is not null)
);
create index on enquiry_acts (enquiry_id, id);
