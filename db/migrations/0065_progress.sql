-- phase: expand
-- Adds what is recorded of attendance, of exercises of guided study and of XP, and what completes a place (P59 to P62).

-- {"attendance": percent of the minutes taught} or {"exercises": "all"}, with the hours and the level that the XP of the
-- course are counted from: as they were when it was sold. Null for what the release before writes: then as the course is.
alter table places add column completion jsonb;

create function completion_of_course(wanted bigint, way text) returns jsonb language sql stable as $$
  select jsonb_build_object('hours', hours, 'level', level) || case
    when way = 'guided' then '{"exercises": "all"}'::jsonb
    else jsonb_build_object('attendance', coalesce((details -> 'completion' ->> 'attendance')::integer, 80))
  end
  from courses where id = wanted
$$;

create function fix_completion() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.completion is null and new.transferred_from is not null then
    select completion into new.completion from places where id = new.transferred_from and way = new.way;
  end if;
  if new.completion is null or tg_op = 'UPDATE' and (new.way = 'guided') <> (old.way = 'guided') then
    new.completion := completion_of_course(new.course_id, new.way);
  end if;
  return new;
end $$;
create trigger fix_completion before insert or update of way on places for each row execute function fix_completion();

-- What an instructor recorded of one person on one day (P59). Of a place and day the last by `tapped_at`, then by id, counts.
create table attendance_marks (
  id bigint generated always as identity primary key,
  place_id bigint not null references places,
  -- In the zone of the training session.
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

-- The reading and the exercise of a module of a course, in Markdown: content, of which files are checked and imported.
create table course_modules (
  course_id bigint not null references courses,
  -- Its number in the curriculum, counted from 1.
  number smallint not null check (number >= 1),
  title text not null,
  body text not null,
  retired_at timestamptz,
  primary key (course_id, number)
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

create trigger only_added_to before update or delete or truncate on xp_entries
  for each statement execute function refuse_change();
create trigger only_added_to before delete or truncate on attendance_marks
  for each statement execute function refuse_change();
create trigger only_erased before update on attendance_marks
  for each row execute function refuse_all_but_erasing('reason');
create trigger only_added_to before delete or truncate on exercise_answers
  for each statement execute function refuse_change();
create trigger only_erased before update on exercise_answers
  for each row execute function refuse_all_but_erasing('body', 'link', 'erased');
create trigger only_added_to before delete or truncate on exercise_marks
  for each statement execute function refuse_change();
create trigger only_erased before update on exercise_marks
  for each row execute function refuse_all_but_erasing('comment');
