-- phase: contract
-- allowed: the release before writes `ladder` and `terms_version` with each enrolment, so it is stopped for this update
-- A contract names its refund ladder and the very text of the terms that its buyer accepted (P28, P40).
create table refund_ladders (
  id integer generated always as identity primary key,
  -- All comes back until so many days before the first day, half until so many, and all for so many hours after placing.
  full_days integer not null check (full_days >= half_days),
  half_days integer not null check (half_days >= 0),
  full_hours integer not null check (full_hours >= 0),
  -- Whether the courses of a combo that are kept cost their own price when others are cancelled.
  reprices_kept boolean not null,
  -- The first day in Brisbane on which enrolments placed get it; null before such days were kept. Of those in force the
  -- last holds, by this day and then by id.
  from_day date
);
create trigger snapshot_changed after insert on refund_ladders
  for each statement execute function snapshot_part_changed('catalogue');

-- That of contracts from before courses of a combo were repriced, any others that contracts have, and today's.
insert into refund_ladders (full_days, half_days, full_hours, reprices_kept) values (14, 7, 24, false);
insert into refund_ladders (full_days, half_days, full_hours, reprices_kept)
  select distinct (ladder->>'fullDays')::integer, (ladder->>'halfDays')::integer, (ladder->>'fullHours')::integer,
    (ladder->>'repricesKept')::boolean
  from enrolments
  where (ladder->>'fullDays', ladder->>'halfDays', ladder->>'fullHours') is distinct from ('14', '7', '24');
insert into refund_ladders (full_days, half_days, full_hours, reprices_kept) values (14, 7, 24, true);
create trigger only_added_to before update or delete or truncate on refund_ladders
  for each statement execute function refuse_change();

create table terms_versions (
  id integer generated always as identity primary key,
  in_force_from date not null,
  -- Markdown. Null: accepted before the texts were kept, and in no version that /terms still has.
  body text
);
create unique index on terms_versions (in_force_from, coalesce(md5(body), ''));
create trigger only_added_to before update or delete or truncate on terms_versions
  for each statement execute function refuse_change();

-- Whoever writes the page, and whether or not it has a new day: each text that could be accepted stays.
create function keep_terms() returns trigger language plpgsql as $$
begin
  insert into terms_versions (in_force_from, body)
    select coalesce(version->>'inForceFrom', '2026-11-21')::date, version->>'body'
    from jsonb_array_elements(new.body) page, jsonb_array_elements(coalesce(page->'earlier', '[]') || page) version
    where page->>'slug' = 'terms'
    on conflict do nothing;
  return null;
end $$;
create trigger keep_terms after insert or update on site_content
  for each row when (new.name = 'pages') execute function keep_terms();
update site_content set body = body where name = 'pages';
insert into terms_versions (in_force_from)
  select distinct terms_version from enrolments where terms_version not in (select in_force_from from terms_versions);

alter table enrolments add column ladder_id integer references refund_ladders,
  add column terms_id integer references terms_versions;
update enrolments set
  ladder_id = (
    select id from refund_ladders
    where (full_days, half_days, full_hours, reprices_kept) = ((ladder->>'fullDays')::integer,
      (ladder->>'halfDays')::integer, (ladder->>'fullHours')::integer, (ladder->>'repricesKept')::boolean)
    order by id limit 1),
  terms_id = (select id from terms_versions where in_force_from = terms_version order by id limit 1);
alter table enrolments
  alter column ladder_id set not null,
  alter column terms_id set not null,
  drop column ladder,
  drop column terms_version;
create index on enrolments (ladder_id);
create index on enrolments (terms_id);
