-- phase: expand
-- What is due of each enrolment stands beside its row of the list, so that sums of what is owed read it. They computed
-- hundreds of enrolments anew for each page (P87).

-- The rows of open_invoices of which something is due. Only list_enrolments writes them, in the transaction of what they
-- are computed from; only lists and sums read them (decision 90).
create table due_parts (
  enrolment_id bigint not null references enrolment_list on delete cascade,
  tax_invoice_id bigint not null,
  instalment_id bigint,
  due_on date not null,
  due_cents bigint not null,
  first_day date,
  unique nulls not distinct (enrolment_id, tax_invoice_id, instalment_id)
);
create index on due_parts (due_on, enrolment_id) include (due_cents);

create function write_due_parts(wanted bigint[]) returns void language sql as $$
  with computed as materialized (
    select money.enrolment_id, open.tax_invoice_id, open.instalment_id, open.due_on, open.due_cents, open.first_day
    from enrolment_index money cross join lateral open_invoices(money.enrolment_id) as open
    where money.enrolment_id = any(wanted) and money.balance_cents > 0 and open.due_cents > 0
  ), gone as (
    delete from due_parts where enrolment_id = any(wanted) and not exists (
      select from computed where (computed.enrolment_id, computed.tax_invoice_id) = (due_parts.enrolment_id, due_parts.tax_invoice_id)
        and computed.instalment_id is not distinct from due_parts.instalment_id)
  )
  insert into due_parts select * from computed order by enrolment_id
    on conflict (enrolment_id, tax_invoice_id, instalment_id) do update
      set due_on = excluded.due_on, due_cents = excluded.due_cents, first_day = excluded.first_day
      where (due_parts.due_on, due_parts.due_cents, due_parts.first_day)
        is distinct from (excluded.due_on, excluded.due_cents, excluded.first_day)
$$;

-- As before, but the first day on which something is due is read from due_parts, which list_enrolments has just written.
create or replace function enrolment_facts(wanted bigint[]) returns table (
  enrolment_id bigint, starts_on date, places integer, total_cents bigint, balance_cents bigint, due_on date,
  paid_by text[], name_missing boolean, choosing boolean, waiting boolean, from_session boolean, cancelled boolean
) language sql stable as $$
  select enrolment.id, coalesce(its.live_from, its.any_from, 'infinity'), its.places::integer,
    coalesce((select sum(total_cents - coalesce(
        (select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0))
      from tax_invoices invoice where invoice.enrolment_id = enrolment.id), 0)::bigint,
    coalesce(money.balance_cents, 0),
    (select min(part.due_on) from due_parts part where part.enrolment_id = enrolment.id),
    coalesce((select array_agg(distinct method order by method)
      from payments where payments.enrolment_id = enrolment.id), '{}'),
    coalesce(its.name_missing, false), coalesce(its.choosing, false), coalesce(its.waiting, false),
    coalesce(its.from_session, false), coalesce(its.cancelled, false)
  from enrolments enrolment
    left join enrolment_index money on money.enrolment_id = enrolment.id
    left join lateral (
      select count(*) filter (where place.state <> 'cancelled') as places,
        min(coalesce(session.starts_on, place.guided_from)) filter (where place.state <> 'cancelled') as live_from,
        min(coalesce(session.starts_on, place.guided_from)) as any_from,
        bool_or(place.state = 'active' and attendee.name is null) as name_missing,
        bool_or(place.choose_by is not null) as choosing,
        bool_or(place.way = 'next-date' and place.state = 'active') as waiting,
        bool_or(place.choose_by is not null or place.cancelled_why in ('session', 'lapsed')) as from_session,
        bool_or(place.cancelled_why <> 'transfer') as cancelled
      from places place
        join attendees attendee on attendee.id = place.attendee_id
        left join training_sessions session on session.id = place.training_session_id
      where place.enrolment_id = enrolment.id
    ) as its on true
  where enrolment.id = any(wanted)
$$;

-- As before, and writes due_parts.
create or replace function list_enrolments(wanted bigint[]) returns void language plpgsql as $$
begin
  insert into enrolment_list (enrolment_id, enrolled_at)
    select id, placed_at from enrolments where id = any(wanted) order by id
    on conflict do nothing;
  -- Whoever changes the same enrolments meanwhile waits here, so that what is read below has what the other committed.
  perform from enrolment_list where enrolment_id = any(wanted) order by enrolment_id for no key update;
  perform write_due_parts(wanted);
  update enrolment_list list set
    starts_on = facts.starts_on, places = facts.places, total_cents = facts.total_cents,
    balance_cents = facts.balance_cents, due_on = facts.due_on, paid_by = facts.paid_by,
    name_missing = facts.name_missing, choosing = facts.choosing, waiting = facts.waiting,
    from_session = facts.from_session, cancelled = facts.cancelled
  from enrolment_facts(wanted) facts
  where list.enrolment_id = facts.enrolment_id;
  delete from enrolment_courses where enrolment_id = any(wanted) and not exists (
    select from places
      where places.enrolment_id = enrolment_courses.enrolment_id and places.course_id = enrolment_courses.course_id);
  insert into enrolment_courses (course_id, enrolment_id, enrolled_at, starts_on)
    select distinct course_id, enrolment_id, enrolled_at, list.starts_on
    from places join enrolment_list list using (enrolment_id) where enrolment_id = any(wanted)
    on conflict (enrolment_id, course_id) do update set starts_on = excluded.starts_on
      where enrolment_courses.starts_on <> excluded.starts_on;
end $$;
