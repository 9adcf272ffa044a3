-- phase: expand
-- When a course was retired and when it was offered again. While nobody can buy it, no price is charged (P47).
create table course_retirements (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  from_at timestamptz not null,
  until_at timestamptz check (until_at >= from_at)
);
create unique index on course_retirements (course_id) where until_at is null;
create index on course_retirements (course_id);

create function keep_retirement() returns trigger language plpgsql as $$
declare
  -- The academy's clock, as for prices; it may run apart from the database's.
  stamp jsonb := nullif(current_setting('academy.price_stamp', true), '')::jsonb;
  since timestamptz;
begin
  if new.retired_at is null then
    update course_retirements set until_at = greatest(from_at, coalesce((stamp->>'at')::timestamptz, now()))
      where course_id = new.id and until_at is null;
  else
    select max(until_at) into since from course_retirements where course_id = new.id;
    insert into course_retirements (course_id, from_at) values (new.id, greatest(new.retired_at, since))
      on conflict (course_id) where until_at is null do nothing;
  end if;
  return null;
end $$;
create trigger keep_retirement after update of retired_at on courses
  for each row when ((old.retired_at is null) <> (new.retired_at is null)) execute function keep_retirement();

-- What the revisions know of the time before.
insert into course_retirements (course_id, from_at, until_at)
  select id, from_at, least(until_at, next_from) from (
    select courses.id, gone.made_at as from_at, (
      select min(made_at) from content_revisions later
      where later.record_id = gone.record_id and later.number > gone.number and later.state = 'published'
    ) as until_at, lead(gone.made_at) over (partition by gone.record_id order by gone.number) as next_from
    from content_revisions gone
      join content_records on content_records.id = gone.record_id and kind = 'course'
      join courses on courses.slug = key
    where gone.state = 'retired'
  ) known
  where until_at is not null or next_from is not null or exists (
    select from courses where courses.id = known.id and retired_at is not null);
insert into course_retirements (course_id, from_at)
  select id, retired_at from courses where retired_at is not null
  on conflict (course_id) where until_at is null do nothing;

-- As in 0077, without the time in which the course was retired.
create or replace function was_charged(course bigint, cents integer, at timestamptz) returns boolean
language sql stable as $$
  with charged as (
    select range_agg(tstzrange(greatest(from_at, at - interval '6 months'), least(coalesce(until_at, at), at))) as times
    from prices
    where course_id = course and amount_cents = cents and from_at < at
      and coalesce(until_at, at) > at - interval '6 months'
  ), retired as (
    select range_agg(tstzrange(from_at, until_at)) as times from course_retirements where course_id = course
  )
  select coalesce(sum(upper(part) - lower(part)), interval '0') >= interval '28 days'
  from charged, retired, unnest(charged.times - coalesce(retired.times, '{}')) part
$$;
