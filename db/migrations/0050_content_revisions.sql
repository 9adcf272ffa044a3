-- phase: expand
-- Every record of content has revisions (P70). The tables of the catalogue and `site_content` hold what is published now;
-- these hold what it was, who made it so, and what the files had at the last import.
create table content_records (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The slug it has now, or what else tells the members of its list apart.
  key text not null,
  unique (kind, key)
);

create table content_revisions (
  record_id bigint not null references content_records,
  number integer not null check (number > 0),
  -- Of those published or retired the newest holds; a draft or a scheduled one lies over it.
  state text not null check (state in ('published', 'draft', 'scheduled', 'retired')),
  -- The whole record; of a retired one, as it was last.
  value jsonb not null,
  -- The revision it was made from; null for the first of its author.
  base integer check (base < number),
  -- `found`: the rows had been changed without a revision, which was noticed at the next one.
  author text not null check (author in ('import', 'person', 'command line', 'found')),
  person_id bigint references people,
  made_at timestamptz not null,
  publish_at timestamptz,
  note text,
  -- What the files had at this import, with which the next one compares; null when they did not have the record.
  files jsonb,
  primary key (record_id, number),
  foreign key (record_id, base) references content_revisions (record_id, number),
  check ((author = 'person') = (person_id is not null)),
  check ((state = 'scheduled') = (publish_at is not null)),
  check (files is null or author = 'import')
);
create index on content_revisions (person_id) where person_id is not null;

-- Whoever changes a slug: import, staff or manual SQL.
create function content_record_renamed() returns trigger language plpgsql as $$
begin
  update content_records set key = new.slug where kind = tg_argv[0] and key = old.slug;
  return null;
end $$;
create trigger record_renamed after update of slug on courses
  for each row when (old.slug <> new.slug) execute function content_record_renamed('course');
create trigger record_renamed after update of slug on combos
  for each row when (old.slug <> new.slug) execute function content_record_renamed('combo');

-- The records of the last import become the first revisions, under the slugs they have now. Training sessions are not
-- among them: files only make those.
with named as (
  select kind, key, value, coalesce(
    case kind
      when 'course' then coalesce(
        (select slug from courses where slug = key),
        (select slug from courses join course_aliases on course_id = courses.id where alias = key))
      when 'combo' then coalesce(
        (select slug from combos where slug = key),
        (select slug from combos join combo_aliases on combo_id = combos.id where alias = key))
    end, key) as key_now
  from imported_records where kind <> 'training session'
), carried as (
  select distinct on (kind, key_now) kind, key_now, value from named order by kind, key_now, key <> key_now
), records as (
  insert into content_records (kind, key) select kind, key_now from carried order by kind, key_now
  returning id, kind, key
)
insert into content_revisions (record_id, number, state, value, author, made_at, note, files)
select records.id, 1, 'published', value, 'import', coalesce(imported_at, now()),
  'The files at the last import before revisions were kept', value
from import_state, records join carried on carried.kind = records.kind and key_now = key;
