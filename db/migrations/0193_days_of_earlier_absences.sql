-- phase: backfill
-- Until now all messages of an attendee counted together (P56). Each of them gets the days of the same person's earlier
-- ones, so that the newest says what all of them said.
update absence_notices newer set days = (
  select array_agg(distinct day order by day) from absence_notices one, unnest(one.days) day
  where one.place_id = newer.place_id and one.id <= newer.id and not exists (
    select from attendee_handovers given join places on places.attendee_id = given.attendee_id
    where places.id = one.place_id and given.at >= one.told_at and given.at < newer.told_at))
where exists (select from absence_notices one where one.place_id = newer.place_id and one.id < newer.id);
alter table absence_notices validate constraint absence_notices_days_check;
