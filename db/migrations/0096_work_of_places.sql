-- phase: expand
-- A course asks for work besides attendance or exercises, in its words under "Certification" (P61). A place sold from now
-- on keeps those words, once for all places that have the same. What was sold before asks for none.
create table asked_works (
  id bigint generated always as identity primary key,
  text text not null unique
);

-- "work" in the rule of a place is the id of a row above; without it attendance, or every exercise, is enough. A place
-- that goes on as another one, or in another way, keeps the work that it was sold with, or none.
create or replace function fix_completion() returns trigger language plpgsql as $$
declare
  before jsonb;
  before_way text;
  asked text;
  work bigint;
begin
  if tg_op = 'UPDATE' then
    before := old.completion;
    if new.completion is not null and (new.way = 'guided') = (old.way = 'guided') then
      return new;
    end if;
  elsif new.completion is not null then
    return new;
  elsif new.transferred_from is not null then
    select completion, way into before, before_way from places where id = new.transferred_from;
    if before is not null and before_way = new.way then
      new.completion := before;
      return new;
    end if;
  end if;
  new.completion := completion_of_course(new.course_id, new.way);
  if tg_op = 'UPDATE' or new.transferred_from is not null then
    work := before ->> 'work';
  else
    select details ->> 'credential' into asked from courses
    where id = new.course_id and (details -> 'completion' ->> 'attendanceAlone') is distinct from 'true';
    if asked is not null then
      insert into asked_works (text) values (asked) on conflict do nothing;
      select id into work from asked_works where text = asked;
    end if;
  end if;
  if work is not null then
    new.completion := new.completion || jsonb_build_object('work', work);
  end if;
  return new;
end $$;
