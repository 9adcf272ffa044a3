-- Content edited and read as a whole: site settings, hero slides, partners, combos, the promotion, the claims
-- register (P6), and the texts.
create table site_content (
  name text primary key,
  body jsonb not null,
  -- For the sitemap.
  changed_at timestamptz not null default now()
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

-- Every record of content has revisions (P70): the newest that is published or retired holds. From it the tables of the
-- catalogue and `site_content` are written, which pages read. The first ones come from content/, when it fills the empty
-- database (P95).
create table content_records (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The slug it has now, or what else tells the members of its list apart.
  key text not null,
  -- The number of the revision that lies over it: the newest draft, or one that is scheduled. Published or thrown away, it
  -- stays in the history.
  draft integer,
  unique (kind, key)
);

create table content_revisions (
  record_id bigint not null references content_records,
  number integer not null check (number > 0),
  -- A draft or a scheduled one lies over the one that holds.
  state text not null check (state in ('published', 'draft', 'scheduled', 'retired')),
  -- The whole record; of a retired one, as it was last.
  value jsonb not null,
  -- The revision it was made from; null for the first.
  base integer,
  author text not null check (author in ('files', 'person', 'program')),
  person_id bigint references people,
  made_at timestamptz not null,
  publish_at timestamptz,
  note text,
  check (base < number),
  check ((author = 'person') = (person_id is not null)),
  check ((state = 'scheduled') = (publish_at is not null)),
  primary key (record_id, number),
  foreign key (record_id, base) references content_revisions (record_id, number)
);
create index on content_revisions (person_id) where person_id is not null;
alter table content_records add foreign key (id, draft) references content_revisions (record_id, number);
