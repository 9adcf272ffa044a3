-- phase: expand
-- P47: days are counted, not seconds, on the academy's calendar. The job that makes planned prices comes some seconds after
-- their moment, and a price planned for four weeks was charged for four weeks less a few of them.

-- When a course was charged a price, without the times in which it was retired.
create function charged_times(course bigint, cents integer) returns tstzmultirange language sql stable as $$
  select coalesce((select range_agg(tstzrange(from_at, until_at)) from prices
      where course_id = course and amount_cents = cents), '{}')
    - coalesce((select range_agg(tstzrange(from_at, until_at)) from course_retirements
      where course_id = course), '{}')
$$;

-- Whether a course was charged a price for at least four weeks within the six months before an instant. The day on which a
-- time ends counts for what comes after it.
create or replace function was_charged(course bigint, cents integer, at timestamptz) returns boolean
language sql stable as $$
  select coalesce(sum((upper(part) at time zone 'Australia/Brisbane')::date
    - (lower(part) at time zone 'Australia/Brisbane')::date), 0) >= 28
  from unnest(charged_times(course, cents) * tstzmultirange(tstzrange(at - interval '6 months', at))) part
$$;
