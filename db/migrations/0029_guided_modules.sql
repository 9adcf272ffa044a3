-- Guided study (P38, P40): the modules of a place are those its course had when it was placed, so that a later change of
-- the course neither raises nor lowers a refund; and which of them were opened.
create function modules_of_course(wanted bigint) returns jsonb language sql stable as $$
  select case
    when jsonb_typeof(curriculum) = 'array' and jsonb_array_length(curriculum) > 0 then curriculum
    else jsonb_build_array(jsonb_build_object('module', title, 'topics', '[]'::jsonb))
  end
  from courses where id = wanted
$$;

-- [{"module": …, "topics": […]}], in order; null unless it is studied guided.
alter table places add column modules jsonb;
-- For what was placed before, the course as it is now is the nearest that is known.
update places set modules = modules_of_course(course_id) where way = 'guided';
alter table places
  add check ((way = 'guided') = (modules is not null)),
  add check (modules is null or jsonb_array_length(modules) > 0);
create index on places (guided_from) where way = 'guided' and state = 'active';

create function fix_modules() returns trigger language plpgsql as $$
begin
  if new.way = 'guided' and new.modules is null then
    new.modules := modules_of_course(new.course_id);
  end if;
  return new;
end $$;
create trigger fix_modules before insert or update of way on places for each row execute function fix_modules();

-- A module that was opened, once. It names no person.
create table module_openings (
  place_id bigint not null references places,
  -- Its number in `places.modules`, counted from 1.
  module smallint not null check (module >= 1),
  opened_at timestamptz not null,
  primary key (place_id, module)
);
-- Until now only the first opening had a column.
insert into module_openings select id, 1, opened_at from places where way = 'guided' and opened_at is not null;
alter table places drop column opened_at;
create trigger only_added_to before update or delete or truncate on module_openings
  for each statement execute function refuse_change();
