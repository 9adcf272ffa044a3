-- What an instructor recorded of one person on one day (P59). Of a place and day the last by `tapped_at`, then by id, counts.
create table attendance_marks (
  id bigint generated always as identity primary key,
  place_id bigint not null references places,
  -- In the zone of the training course_date.
  day date not null,
  mark text not null check (mark in ('present', 'absent', 'excused')),
  minutes_late integer not null default 0 check (minutes_late >= 0),
  minutes_left_early integer not null default 0 check (minutes_left_early >= 0),
  person_id bigint not null references people,
  -- By the clock of the program: what the device says is corrected by what it says its own clock is.
  tapped_at timestamptz not null,
  received_at timestamptz not null,
  -- Made by the device, or by the page that had the form: what is sent again is one mark.
  client_key uuid not null,
  -- Why staff corrected it once the course was over.
  reason text check (length(reason) <= 500),
  check (mark = 'present' or minutes_late + minutes_left_early = 0),
  check (tapped_at <= received_at),
  unique (place_id, client_key)
);
create index on attendance_marks (place_id, day, tapped_at desc, id desc);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on attendance_marks (person_id);

-- Words about people, and theirs, can be erased; nothing else of a record ever changes.
create function refuse_all_but_erasing() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - tg_argv <> to_jsonb(old) - tg_argv
    or exists (select from unnest(tg_argv) field where to_jsonb(new) -> field not in ('null', 'true', to_jsonb(old) -> field))
  then
    raise exception '% is only added to', tg_table_name;
  end if;
  return new;
end $$;

create trigger only_added_to before delete or truncate on attendance_marks
  for each statement execute function refuse_change();
create trigger only_erased before update on attendance_marks
  for each row execute function refuse_all_but_erasing('reason');

-- Work that completes a course (P61) is handed in before certificates are issued: who teaches says then that it was accepted.
create table work_marks (
  id bigint generated always as identity primary key,
  place_id bigint not null references places,
  -- False takes an acceptance back. The last mark counts.
  accepted boolean not null,
  person_id bigint not null references people,
  marked_at timestamptz not null
);
create index on work_marks (place_id, id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on work_marks (person_id);

create trigger only_added_to before update or delete or truncate on work_marks
  for each statement execute function refuse_change();

-- A module that was opened, once. It names no person.
create table module_openings (
  place_id bigint not null references places,
  -- Its number in `places.modules`, counted from 1.
  module smallint not null check (module >= 1),
  opened_at timestamptz not null,
  primary key (place_id, module)
);

create trigger only_added_to before update or delete or truncate on module_openings
  for each statement execute function refuse_change();

-- A module that its learner opened before it had a text. Its instructor hands it out (P105); then the row goes.
create table module_requests (
  place_id bigint not null references places,
  -- Its number in `places.modules`, counted from 1.
  module smallint not null check (module >= 1),
  asked_at timestamptz not null,
  primary key (place_id, module)
);

-- What is typed for an exercise and not handed in.
create table exercise_drafts (
  place_id bigint not null references places,
  module smallint not null check (module >= 1),
  body text not null check (length(body) <= 20000),
  link text not null check (length(link) <= 2000),
  saved_at timestamptz not null,
  primary key (place_id, module)
);

-- An exercise as its learner handed it in (P60), a text or a link; neither once its learner was erased.
create table exercise_answers (
  id bigint generated always as identity primary key,
  place_id bigint not null references places,
  -- Its number in `places.modules`, counted from 1.
  module smallint not null check (module >= 1),
  body text check (length(body) between 1 and 20000),
  link text check (length(link) between 1 and 2000),
  handed_in_at timestamptz not null,
  erased boolean not null default false,
  check (num_nonnulls(body, link) = case when erased then 0 else 1 end)
);
create index on exercise_answers (place_id, module, id);

create trigger only_added_to before delete or truncate on exercise_answers
  for each statement execute function refuse_change();
create trigger only_erased before update on exercise_answers
  for each row execute function refuse_all_but_erasing('body', 'link', 'erased');

-- What an instructor said of an answer. The last of an answer counts, and the last answer of a module.
create table exercise_marks (
  id bigint generated always as identity primary key,
  answer_id bigint not null references exercise_answers,
  accepted boolean not null,
  comment text check (length(comment) between 1 and 20000),
  person_id bigint not null references people,
  marked_at timestamptz not null
);
create index on exercise_marks (answer_id, id);
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on exercise_marks (person_id);

create trigger only_added_to before delete or truncate on exercise_marks
  for each statement execute function refuse_change();
create trigger only_erased before update on exercise_marks
  for each row execute function refuse_all_but_erasing('comment');

-- Experience points, each with the record that earned it (P62). An entry that reverses names the one it takes back, and
-- the source of that one.
create table xp_entries (
  id bigint generated always as identity primary key,
  place_id bigint not null references places,
  points integer not null,
  source_kind text not null check (source_kind in ('attendance', 'exercise', 'certificate')),
  -- An attendance mark, an exercise mark, or a certificate.
  source_id bigint not null,
  reverses bigint unique references xp_entries,
  at timestamptz not null,
  -- A certificate finishes its place, also when everything was earned before.
  check (points <> 0 or source_kind = 'certificate')
);
create index on xp_entries (place_id, id);
create index on xp_entries (source_kind, source_id);

-- A record counts once while it is not reversed. The lock lets two who write of one place see each other's entries.
create function check_entry() returns trigger language plpgsql as $$
begin
  perform from places where id = new.place_id for no key update;
  if new.reverses is null then
    if exists (
      select from xp_entries entry where (source_kind, source_id) = (new.source_kind, new.source_id) and reverses is null
        and not exists (select from xp_entries taken where taken.reverses = entry.id)
    ) then
      raise exception 'the record already counts in the ledger of XP' using errcode = 'unique_violation';
    end if;
  elsif not exists (
    select from xp_entries taken where taken.id = new.reverses and taken.reverses is null
      and (taken.place_id, -taken.points, taken.source_kind, taken.source_id)
        = (new.place_id, new.points, new.source_kind, new.source_id)
  ) then
    raise exception 'an entry of XP reverses another one of the same record by its points';
  end if;
  return new;
end $$;

create trigger check_entry before insert on xp_entries for each row execute function check_entry();
create trigger only_added_to before update or delete or truncate on xp_entries
  for each statement execute function refuse_change();

-- Adds certificates with the facts they were issued on, and the names that holders ask to have corrected (P64, P65).
create table certificates (
  id bigint generated always as identity primary key,
  -- Twelve characters that cannot be misread and a check character.
  number text not null unique check (number ~ '^[2-9A-HJ-NP-Z]{13}$'),
  -- By which its holder finds it. What it says is in the columns below and read from nowhere else.
  place_id bigint not null references places,
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  -- Both null once its holder was erased: the number goes on answering.
  holder_name text check (holder_name <> ''),
  holder_email text,
  -- What its public page shows, chosen by its holder.
  shows text not null default 'valid' check (shows in ('valid', 'name')),
  state text not null default 'issued' check (state in ('issued', 'undone', 'revoked', 'withdrawn', 'superseded')),
  -- When it stopped holding, who ended it, and why it was revoked, as its page says it.
  ended_at timestamptz,
  ended_by bigint references people on delete set null,
  reason text,
  issued_at timestamptz not null,
  -- Null: by the program.
  issued_by bigint references people on delete set null,
  -- The certificate of the same place that it takes the place of: only the name differs.
  supersedes bigint unique references certificates,
  -- When staff last looked at records that were corrected after it was issued, and let it stand.
  looked_at timestamptz,
  check ((state = 'issued') = (ended_at is null)),
  check ((state = 'revoked') = (reason is not null))
);
create unique index on certificates (place_id) where state = 'issued';
create index on certificates (place_id);
create index on certificates (issued_at desc, id desc);
create index on certificates (issued_by);
create index on certificates (ended_by);

-- Staff may revoke a certificate that its holder withdrew before (P64): nobody escapes by withdrawing first.
create function keep_certificate() returns trigger language plpgsql as $$
declare
  free constant text[] := array['shows', 'looked_at', 'holder_name', 'holder_email', 'issued_by', 'ended_by'];
  ending constant text[] := array['state', 'ended_at', 'reason'];
begin
  if to_jsonb(new) - free - ending <> to_jsonb(old) - free - ending
    or new.holder_name is distinct from old.holder_name and new.holder_name is not null
    or new.holder_email is distinct from old.holder_email and new.holder_email is not null
    or old.state <> 'issued' and not (old.state = 'withdrawn' and new.state = 'revoked')
      and (new.state, new.ended_at, new.reason) is distinct from (old.state, old.ended_at, old.reason)
  then
    raise exception 'a certificate says what it was issued on';
  end if;
  return new;
end $$;

create trigger keep_certificate before update on certificates for each row execute function keep_certificate();
create trigger only_added_to before delete or truncate on certificates
  for each statement execute function refuse_change();

-- Names that staff have to look at before a certificate is issued again with them.
create table certificate_names (
  id bigint generated always as identity primary key,
  certificate_id bigint not null references certificates,
  -- Null once its holder was erased.
  name text check (name <> ''),
  asked_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references people on delete set null,
  taken boolean,
  check ((decided_at is null) = (taken is null))
);
create unique index on certificate_names (certificate_id) where decided_at is null;
create index on certificate_names (certificate_id);
create index on certificate_names (decided_by);

-- Keys are kept for ever: a badge names the one it was signed with. The last one that is not compromised signs.
create table badge_keys (
  id bigint generated always as identity primary key,
  -- What follows the # in its id, such as key-1.
  name text not null unique check (name ~ '^key-\d+$'),
  -- Multikey, multibase.
  public_key text not null unique,
  -- The private key, sealed with a secret of the program; null once it was compromised.
  sealed_key text,
  made_at timestamptz not null,
  -- From this day on others may have had it.
  compromised_on date,
  check ((sealed_key is null) = (compromised_on is not null))
);

-- A list of bits, one a badge; those of badges that do not hold are set. Made anew each day and with each change.
create table badge_lists (
  id bigint generated always as identity primary key,
  -- The signed list as it is served; null before the first time.
  credential text,
  -- A hash of what was signed and with which key, to see whether it changed.
  signed_for text,
  signed_at timestamptz
);

create table certificate_badges (
  certificate_id bigint primary key references certificates,
  list_id bigint not null references badge_lists,
  list_index integer not null check (list_index between 0 and 131071),
  -- The badge as it is served, byte by byte; null before it is signed, and once its holder was erased.
  credential text,
  key_id bigint references badge_keys,
  -- The public origin it names; after a move to another one it is signed anew.
  origin text,
  signed_at timestamptz,
  check ((credential is null) = (key_id is null)),
  check ((credential is null) = (origin is null)),
  check ((credential is null) = (signed_at is null)),
  unique (list_id, list_index)
);
create index on certificate_badges (key_id);

-- Which reminders of places went out: their mails are erased before the places are over.
create table place_reminders (
  -- Place or buyer, first day and days before it, as the dedupe key of the mail.
  key text primary key,
  queued_at timestamptz not null
);
