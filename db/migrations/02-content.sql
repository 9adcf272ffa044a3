-- Content edited and read as a whole: site settings, hero slides, partners, combos, the promotion, the claims
-- register (P6), and the texts.
create table site_content (
  name text primary key,
  body jsonb not null,
  changed_at timestamptz
);

-- Company, ABN, address and periods stand in site.yaml alone; /terms has placeholders for them. What is kept of each
-- version is the text as its readers saw it: what they agreed to never changes with site.yaml.
create function text_with_facts(body text, site jsonb) returns text language plpgsql immutable as $$
declare
  whole text;
begin
  for whole in select distinct part[1] from regexp_matches(body, '\{\{[A-Za-z.]+\}\}', 'g') as matched (part) loop
    body := replace(body, whole, coalesce(site #>> string_to_array(trim(whole, '{}'), '.'), whole));
  end loop;
  return body;
end $$;

create function snapshot_part_changed() returns trigger language plpgsql as $$
begin
  update snapshot_versions set version = version + 1 where part = tg_argv[0];
  notify snapshot;
  return null;
end $$;

-- When what a public page shows last changed, for the sitemap and the feed of new courses.
create function record_change_time() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;

-- Whoever writes the page: each text that could be accepted stays.
create function keep_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (body)
    select text_with_facts(page->>'body', (select body from site_content where name = 'site'))
    from site_content, jsonb_array_elements(site_content.body) page
    where site_content.name = 'pages' and page->>'slug' = 'terms'
    on conflict do nothing;
  return null;
end $$;

create trigger snapshot_changed
  after insert or delete or update or truncate on site_content
  for each statement execute function snapshot_part_changed('catalogue');
create trigger time_of_creation
  before insert on site_content
  for each row execute function record_change_time();
create trigger time_of_change
  before update on site_content
  for each row when ((old.* is distinct from new.*)) execute function record_change_time();
create constraint trigger keep_terms after insert or update on site_content deferrable initially deferred
  for each row when (new.name in ('pages', 'site')) execute function keep_terms();

-- Each text that /terms had, for the contracts that accepted it (P28).
create table terms_versions (
  id integer generated always as identity primary key,
  -- Markdown.
  body text not null
);
create unique index on terms_versions (md5(body));

create trigger only_added_to before update or delete or truncate on terms_versions
  for each statement execute function refuse_change();

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
  base integer,
  -- `found`: the rows had been changed without a revision, which was noticed at the next one.
  author text not null check (author in ('import', 'person', 'command line', 'found')),
  person_id bigint references people,
  made_at timestamptz not null,
  publish_at timestamptz,
  note text,
  -- What the files had at this import, with which the next one compares; null when they did not have the record.
  files jsonb,
  check (base < number),
  check ((author = 'person') = (person_id is not null)),
  check ((state = 'scheduled') = (publish_at is not null)),
  check (files is null or author = 'import'),
  primary key (record_id, number),
  foreign key (record_id, base) references content_revisions (record_id, number)
);
create index on content_revisions (person_id) where person_id is not null;

-- What lies over a record: the newest of its drafts, or the revision that goes out at an instant (P70). A revision alone
-- cannot say so: an import may publish a newer one, and the draft stays. Published or thrown away, the row goes and its
-- revision stays in the history.
create table content_drafts (
  record_id bigint primary key references content_records,
  number integer not null,
  foreign key (record_id, number) references content_revisions (record_id, number)
);

-- One row. The version moves with every change to the tables above; readers hold a snapshot of one version.
create table import_state (
  id integer primary key default 1 check (id = 1),
  -- The day content/ is written as of, and by how many weeks the first import moved its dates (P13).
  as_of date,
  shift_weeks integer,
  -- The sample promotion runs from the first import on (P16).
  first_imported_at timestamptz,
  imported_at timestamptz,
  -- The hash of the content files that the last import read: a start finds out quickly whether others lie there now.
  files_hash text
);

insert into import_state default values;
