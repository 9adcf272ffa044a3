-- Courses, training sessions and combos get generated ids, which enrolments and invoices will refer to; a slug is only
-- an address and may change (P3). Renames: the table of content stored as whole documents becomes `site_content`,
-- drawings become icons, and a course's text on its certification becomes its credential.

do $$
declare name text;
begin
  foreach name in array array[
    'categories', 'tracks', 'instructors', 'courses', 'course_aliases', 'course_tracks',
    'certification_groups', 'certifications', 'training_sessions', 'site_documents'
  ] loop
    execute format('drop trigger catalogue_changed on %I', name);
  end loop;
end $$;
drop function catalogue_changed();

alter table categories rename column treasure to icon;
alter table tracks rename column treasure to icon;
alter table courses rename column certification to credential;
alter table site_documents rename to site_content;
-- Renames the key of a drawing inside the stored lists.
update site_content
set body = (
  select jsonb_agg(item - 'treasure' || jsonb_build_object('icon', item -> 'treasure') order by position)
  from jsonb_array_elements(body) with ordinality as list (item, position)
)
where name in ('heroSlides', 'questLines') and jsonb_array_length(body) > 0;

-- Courses.
alter table courses add column id bigint generated always as identity;

alter table course_aliases add column course_id bigint;
update course_aliases set course_id = courses.id from courses where courses.slug = course_slug;
alter table course_aliases drop column course_slug, alter column course_id set not null;

alter table course_tracks add column course_id bigint;
update course_tracks set course_id = courses.id from courses where courses.slug = course_slug;
alter table course_tracks drop column course_slug, alter column course_id set not null;
alter table course_tracks add primary key (course_id, track_slug);

alter table certifications add column course_id bigint;
update certifications set course_id = courses.id from courses where courses.slug = course_slug;
alter table certifications drop column course_slug, alter column course_id set not null;

alter table training_sessions add column course_id bigint;
update training_sessions set course_id = courses.id from courses where courses.slug = course_slug;
alter table training_sessions drop column course_slug, alter column course_id set not null;

alter table courses drop constraint courses_pkey;
alter table courses add primary key (id), add constraint courses_slug_key unique (slug);
alter table course_aliases add foreign key (course_id) references courses on delete cascade;
alter table course_tracks add foreign key (course_id) references courses on delete cascade;
alter table certifications add foreign key (course_id) references courses;
alter table training_sessions add foreign key (course_id) references courses;
create index on course_aliases (course_id);
create index on certifications (course_id);
create index on training_sessions (course_id);

-- Which courses a course needs and which it leads to. Queries skip retired courses.
create table course_relations (
  course_id bigint not null references courses on delete cascade,
  relation text not null check (relation in ('needs', 'leads-to')),
  other_id bigint not null references courses check (other_id <> course_id),
  position integer not null,
  primary key (course_id, relation, other_id)
);
insert into course_relations
select courses.id, 'needs', other.id, position
from courses, unnest(needs) with ordinality as list (slug, position) join courses other using (slug)
union all
select courses.id, 'leads-to', other.id, position
from courses, unnest(leads_to) with ordinality as list (slug, position) join courses other using (slug);
alter table courses drop column needs, drop column leads_to;

-- Training sessions: separate columns for how and where they are taught replace one text that held both.
alter table training_sessions
  add column id bigint generated always as identity,
  add column delivery text check (delivery in ('online', 'in-person', 'both')),
  add column venue text;
update training_sessions set
  delivery = case mode when 'Online' then 'online' when 'Online/In-Person' then 'both' else 'in-person' end,
  venue = case mode
    when 'Online/In-Person' then 'Brisbane'
    when 'In-Person Sydney' then 'Sydney'
    when 'In-Person Melbourne' then 'Melbourne'
  end;
alter table training_sessions
  drop column mode,
  alter column delivery set not null,
  add check ((delivery = 'online') = (venue is null));
alter table training_sessions drop constraint training_sessions_pkey;
alter table training_sessions add primary key (id), add constraint training_sessions_slug_key unique (slug);

create table training_session_aliases (
  alias text primary key,
  training_session_id bigint not null references training_sessions on delete cascade,
  position integer not null
);
create index on training_session_aliases (training_session_id);

-- Combos: a table of their own, with their courses (P17).
create table combos (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  description text not null,
  discount_percent integer not null check (discount_percent between 1 and 100),
  position integer not null,
  retired_at timestamptz
);
create table combo_courses (
  combo_id bigint not null references combos on delete cascade,
  course_id bigint not null references courses,
  position integer not null,
  primary key (combo_id, course_id)
);
create index on combo_courses (course_id);
create table combo_aliases (
  alias text primary key,
  combo_id bigint not null references combos on delete cascade,
  position integer not null
);
create index on combo_aliases (combo_id);
insert into combos (slug, title, description, discount_percent, position)
select item ->> 'slug', item ->> 'title', item ->> 'description', (item ->> 'discountPercent')::integer, position - 1
from site_content, jsonb_array_elements(body) with ordinality as list (item, position)
where name = 'combos';
insert into combo_courses (combo_id, course_id, position)
select combos.id, courses.id, place - 1
from site_content
  cross join jsonb_array_elements(body) as entry (item)
  cross join jsonb_array_elements_text(item -> 'courses') with ordinality as list (course, place)
  join courses on courses.slug = course
  join combos on combos.slug = item ->> 'slug'
where name = 'combos';
delete from site_content where name = 'combos';

-- Keeps the old slug as an alias whenever a slug changes, whoever changes it.
create function remember_former_slug() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into %I (alias, %I, position)
     values ($1, $2, (select coalesce(max(position) + 1, 0) from %I where %I = $2))
     on conflict (alias) do nothing',
    tg_argv[0], tg_argv[1], tg_argv[0], tg_argv[1]) using old.slug, new.id;
  execute format('delete from %I where alias = $1 and %I = $2', tg_argv[0], tg_argv[1]) using new.slug, new.id;
  return null;
end $$;
create trigger remember_former_slug after update of slug on courses
  for each row when (old.slug <> new.slug) execute function remember_former_slug('course_aliases', 'course_id');
create trigger remember_former_slug after update of slug on training_sessions
  for each row when (old.slug <> new.slug)
  execute function remember_former_slug('training_session_aliases', 'training_session_id');
create trigger remember_former_slug after update of slug on combos
  for each row when (old.slug <> new.slug) execute function remember_former_slug('combo_aliases', 'combo_id');
