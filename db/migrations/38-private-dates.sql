-- phase: expand
-- A new column that is null everywhere, and a function that says the same of every date without it.

-- For whom a date is held that nobody else knows of (P114). Null: for everybody.
alter table course_dates add column organisation_id bigint references organisations;

-- Why seats of a course date are not offered to an entry of its course however many are free; null when they may be.
create or replace function waiting_bar(entry waiting_entries, wanted bigint) returns text language sql stable as $$
  select case
    when entry.course_date_id <> wanted then 'another date'
    when (select organisation_id from course_dates where id = wanted) is not null then 'private'
    when entry.course_date_id is null
      and coalesce((
        select min(placed_at) from places
        where places.enrolment_id = entry.enrolment_id and places.course_id = entry.course_id
          and way = 'next-date' and state = 'active'), entry.joined_at)
        > (select made_at from course_dates where id = wanted) then 'set before'
    when entry.enrolment_id is not null and exists (
        select from waiting_offers offer join waiting_entries before on before.id = offer.entry_id
        where before.enrolment_id = entry.enrolment_id and before.course_id = entry.course_id
          and offer.course_date_id = wanted and offer.ended in ('declined', 'lapsed', 'undeliverable')) then 'asked'
  end
$$;
