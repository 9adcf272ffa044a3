create extension if not exists btree_gist;

-- One row a human (P50). `email` is the main one of their addresses.
create table people (
  id bigint generated always as identity primary key,
  name text,
  email text unique check (email = lower(email)),
  created_at timestamptz not null default now()
);

-- P82: names, words and references are found as people type them. What is indexed and what is typed become words by
-- these functions alone: small letters without accents, whichever apostrophe or dash a phone made of what was typed. A
-- collation of its own tells what a letter is, whatever the locale of the database.
create function folded(its text) returns text language sql immutable return translate(
  lower(normalize(regexp_replace(normalize(its, NFKD), '[\u0300-\u036f]', '', 'g'), NFC) collate "und-x-icu"),
  '‘’ʻʼ′‐‑‒–—−', '''''''''''------');

create function words_in(its text) returns text[] language sql immutable return array(
  select distinct left(word, 100) from regexp_split_to_table(folded(its) collate "und-x-icu", '[^[:alnum:]]+') as word
  where word <> '');

-- The words by which something is found; "d'ambrosio" is "dambrosio" too.
create function words_of(variadic texts text[]) returns tsvector language sql immutable return array_to_tsvector(
  words_in(array_to_string(texts, ' ')) || words_in(regexp_replace(
    folded(array_to_string(texts, ' ')) collate "und-x-icu", '([[:alpha:]])[''-](?=[[:alpha:]])', '\1', 'g')));

-- The typed words, each a beginning. One letter alone is a whole word: as a beginning it would match nearly everything.
create function typed_words(search text) returns tsquery[] language sql immutable return array(
  select format(case when length(word) > 1 then '''%s'':*' else '''%s''' end, word)::tsquery
  from unnest(words_in(search)) as word);

create function all_typed(search text) returns tsquery language sql immutable return
  array_to_string(typed_words(search), ' & ')::tsquery;

create function keep_main_address() returns trigger language plpgsql as $$
begin
  insert into person_emails (email, person_id) values (new.email, new.id) on conflict (email) do nothing;
  return null;
end $$;

-- A person's own name and all addresses, also those that nothing else names.
create function own_words_changed() returns trigger language plpgsql as $$
declare
  its_person bigint;
begin
  if tg_table_name = 'people' then
    its_person := new.id;
  elsif tg_op = 'DELETE' then
    its_person := old.person_id;
  else
    its_person := new.person_id;
  end if;
  insert into person_words (source, source_id, person_id, words)
    select 'people', id, id, words_of(name, (select string_agg(email, ' ') from person_emails where person_id = id))
    from people where id = its_person
    on conflict (source, source_id) do update set words = excluded.words
      where person_words.words is distinct from excluded.words;
  return null;
end $$;

-- Notes go with what they are about, whoever erases it.
create function erase_notes() returns trigger language plpgsql as $$
begin
  delete from notes where about_kind = tg_argv[0] and about_id = old.id;
  return null;
end $$;

create trigger keep_main_address after insert or update of email on people
  for each row when (new.email is not null) execute function keep_main_address();
create trigger own_words_changed after insert or update of name on people
  for each row when (new.name is not null) execute function own_words_changed();
create trigger erase_notes after delete on people for each row execute function erase_notes('person');

-- The addresses of a person. One that nobody proved belongs to a person of its own; whoever adds another to a person has
-- proved both. The person's main address is `people.email`.
create table person_emails (
  email text primary key check (email = lower(email)),
  person_id bigint not null references people on delete cascade,
  -- When a code or link that was mailed there came back.
  verified_at timestamptz,
  unique (person_id, email)
);
alter table people add constraint main_address_is_own foreign key (id, email) references person_emails (person_id, email) deferrable initially deferred;

create trigger own_words_changed after insert or delete or update of person_id, email on person_emails
  for each row execute function own_words_changed();

-- What people are searched by: a row for each record that names one, so that nobody who writes waits for another.
create table person_words (
  source text not null,
  source_id bigint not null,
  person_id bigint not null references people on delete cascade,
  words tsvector not null,
  primary key (source, source_id)
);
create index on person_words (person_id);
create index on person_words using gin (words) with (fastupdate=off);

-- Whoever has an account as a player: made at the first sign-in. The person is not forgotten while it stands.
create table players (
  person_id bigint primary key references people,
  since timestamptz not null,
  -- Slug of the finished course that stands in the middle of their bower (P63); null for the one finished first.
  avenue text
);

-- A player closes their account; it is deleted seven days later unless they keep it (P58).
create table account_closures (
  person_id bigint primary key references people on delete cascade,
  asked_at timestamptz not null,
  delete_from timestamptz not null,
  -- When all but what has to stay was deleted. The rest is looked at each day until nothing of it runs.
  deleted_at timestamptz,
  looked_at timestamptz,
  check (delete_from > asked_at)
);
create index on account_closures (delete_from);

-- Changes of how a player signs in, for seven days: the link "this was not me" takes one back (P54).
create table account_changes (
  id bigint generated always as identity primary key,
  person_id bigint not null references people on delete cascade,
  what text not null,
  link_hash text not null unique,
  -- Addresses and passkeys as they were and became.
  before jsonb not null,
  after jsonb not null,
  made_at timestamptz not null
);
create index on account_changes (person_id);
create index on account_changes (made_at);

-- Another address of a player's, until the link mailed there was used.
create table address_asks (
  link_hash text primary key,
  person_id bigint not null references people on delete cascade,
  email text not null check (email = lower(email)),
  asked_at timestamptz not null
);
create index on address_asks (person_id);

-- Who asked for a link and a code, in which browser. A row is made for every address; the job decides who gets a mail.
create table sign_in_asks (
  id bigint generated always as identity primary key,
  audience text not null check (audience in ('player', 'staff')),
  email text not null check (email = lower(email)),
  -- SHA-256 of the cookie of the browser that asked.
  browser_hash text not null unique,
  leads_to text not null,
  asked_at timestamptz not null,
  -- Whether the job has looked at it. Null hashes afterwards: nobody got a mail.
  taken boolean not null default false,
  link_hash text unique,
  -- Keyed, because a million codes are tried in no time.
  code_hash text,
  tries integer not null default 0
);
create index on sign_in_asks (email);
create index on sign_in_asks (asked_at);

create table sign_ins (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token in the cookie, base64url.
  token_hash text not null unique,
  person_id bigint not null references people on delete cascade,
  audience text not null check (audience in ('player', 'staff')),
  -- The second step of staff that is still to come, and where to lead after it. Null: the person is signed in.
  awaits text check (awaits in ('factor', 'set-up')),
  leads_to text,
  -- Such as "Firefox on Linux".
  browser text not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  -- Moved on while the sign-in is used; never behind ends_at.
  idle_until timestamptz not null,
  ends_at timestamptz not null,
  -- When the person last showed all that is asked for (P54).
  proved_at timestamptz not null,
  check ((awaits is null) = (leads_to is null)),
  constraint players_have_no_second_step check (awaits is null or audience = 'staff')
);
create index on sign_ins (person_id);
create index on sign_ins (idle_until);

create table passkeys (
  -- The credential's id as browsers give it, base64url.
  id text primary key,
  person_id bigint not null references people on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  added_at timestamptz not null,
  -- When the challenge was made that it signed last: none of then or before is taken again.
  used_at timestamptz
);
create index on passkeys (person_id);

-- The second factor of staff: codes of an app (RFC 6238). Not confirmed until the first code was right.
create table totp_keys (
  person_id bigint primary key references people on delete cascade,
  -- Base32, sealed by a key outside of the database.
  secret text not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none is taken twice.
  last_step bigint not null default 0
);

-- Each once, in place of a code of the app.
create table recovery_codes (
  code_hash text primary key,
  person_id bigint not null references totp_keys on delete cascade
);
create index on recovery_codes (person_id);

-- Lists under a name: the query of an address, without words of a search, which may be somebody's name.
create table saved_views (
  id bigint generated always as identity primary key,
  list text not null check (list in ('enrolments', 'people', 'course-dates', 'enquiries')),
  name text not null check (length(name) between 1 and 40),
  query text not null check (length(query) <= 500),
  person_id bigint not null references people on delete cascade,
  made_at timestamptz not null
);
create unique index on saved_views (person_id, list, lower(name));

-- What staff did, by whom and when. Holds references only, so that erasing what an entry is about leaves no trace of it.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Null: done from the command line.
  person_id bigint references people,
  action text not null,
  -- Kind and reference of what it was done to, such as enquiry:BB-7KQ2MX.
  subject text not null,
  details jsonb not null
);
create index on audit_entries (subject, id);
create index on audit_entries (at);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on audit_entries (person_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name;
end $$;

-- Behind the role of the program, which may insert into and read every table whose name begins with audit_, no more.
create trigger only_added_to before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- What an act of staff changed of content, prices, course dates, settings and money (P69); never names, addresses or texts of
-- people, because both tables outlive what they are about. Null: it was not there before, or is not there any more.
create table audit_changes (
  entry_id bigint not null references audit_entries,
  field text not null,
  before jsonb,
  after jsonb,
  check (before is distinct from after),
  primary key (entry_id, field)
);

create trigger only_added_to before update or delete or truncate on audit_changes
  for each statement execute function refuse_change();

-- What staff wrote about something. Never mailed; erased with whom it is about.
create table notes (
  id bigint generated always as identity primary key,
  about_kind text not null
    check (about_kind in ('enrolment', 'person', 'course-date', 'payment', 'enquiry', 'conversation', 'booking')),
  about_id bigint not null,
  written_by bigint references people,
  body text not null check (char_length(body) between 1 and 4000),
  written_at timestamptz not null,
  edited_at timestamptz
);
create index on notes (about_kind, about_id, id);
create index on notes (written_by);
