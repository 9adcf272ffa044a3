-- phase: expand
-- Adds a function and fills with it the kept texts of /terms; texts without placeholders are kept as before.
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

create or replace function keep_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (in_force_from, body)
    select coalesce(version->>'inForceFrom', '2026-11-21')::date,
      text_with_facts(version->>'body', (select body from site_content where name = 'site'))
    from site_content, jsonb_array_elements(site_content.body) page,
      jsonb_array_elements(coalesce(page->'earlier', '[]') || page) version
    where site_content.name = 'pages' and page->>'slug' = 'terms'
    on conflict do nothing;
  return null;
end $$;

-- At the end of the transaction: an import writes the pages and the facts one after the other.
drop trigger keep_terms on site_content;
create constraint trigger keep_terms after insert or update on site_content deferrable initially deferred
  for each row when (new.name in ('pages', 'site')) execute function keep_terms();
