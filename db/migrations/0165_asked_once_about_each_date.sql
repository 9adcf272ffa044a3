-- phase: expand
-- P48: places that were bought are asked about each date of their course that was set after they were bought, and about
-- none again that they declined. Declining one date had them miss those that were set before that; a group of which some
-- had taken a date was never asked about it again (decision 156).

-- Why seats of a training session are not offered to an entry of its course however many are free; null when they may be.
create function waiting_bar(entry waiting_entries, wanted bigint) returns text language sql stable as $$
  select case
    when entry.training_session_id <> wanted then 'another date'
    when entry.training_session_id is null
      and coalesce((
        select min(placed_at) from places
        where places.enrolment_id = entry.enrolment_id and places.course_id = entry.course_id
          and way = 'next-date' and state = 'active'), entry.joined_at)
        > (select made_at from training_sessions where id = wanted) then 'set before'
    when entry.enrolment_id is not null and exists (
        select from waiting_offers offer join waiting_entries before on before.id = offer.entry_id
        where before.enrolment_id = entry.enrolment_id and before.course_id = entry.course_id
          and offer.training_session_id = wanted and offer.ended in ('declined', 'lapsed', 'undeliverable')) then 'asked'
  end
$$;

create or replace function waiting_turns(session bigint) returns table (entry_id bigint, seats integer)
language plpgsql stable as $$
declare
  free integer;
  course bigint;
  entry record;
begin
  select s.capacity - c.sold - c.held - c.offered, s.course_id into free, course
    from training_sessions s join session_seats c on c.training_session_id = s.id
    where s.id = session and s.state <> 'cancelled' and s.retired_at is null;
  if free is null then
    return;
  end if;
  for entry in
    select w.id, w.seats from waiting_entries w
    where w.course_id = course and (w.training_session_id = session or w.training_session_id is null)
      and w.closed_at is null and w.paused_at is null
      and (w.confirmed_at is not null or w.enrolment_id is not null)
      and not exists (select from waiting_offers o where o.entry_id = w.id and o.ended_at is null)
      and waiting_bar(w, session) is null
    order by w.joined_at, w.id
  loop
    exit when free <= 0;
    if entry.seats <= free then
      free := free - entry.seats;
      entry_id := entry.id;
      seats := entry.seats;
      return next;
    end if;
  end loop;
end $$;
