-- What the list of enrolments is filtered, ordered and searched by, a row for each. Only lists and sums read it: what is
-- owed is computed wherever it counts (P39).
create table enrolment_list (
  enrolment_id bigint primary key references enrolments on delete cascade,
  enrolled_at timestamptz not null,
  -- First day of the places that are not cancelled, on dates that are not; infinity without one.
  starts_on date not null,
  -- Those that are not cancelled.
  places integer not null,
  -- Invoiced less credited.
  total_cents bigint not null,
  balance_cents bigint not null,
  -- The parts of open_invoices that are due some day, with what is owed on no invoice, and the first of these days.
  due jsonb not null,
  due_on date,
  paid_by text[] not null,
  -- The last first day of an active place whose attendee has no name; infinity for one without a date.
  unnamed_until date,
  -- A buyer chooses, a place waits for the next date, one comes from a cancelled course date, one was cancelled.
  choosing boolean not null,
  waiting boolean not null,
  from_course_date boolean not null,
  cancelled boolean not null,
  -- Reference, buyer, attendees and numbers of invoices.
  words tsvector not null,
  -- The transaction that wrote the row last.
  written_by xid8 not null
);
create index on enrolment_list (enrolled_at, enrolment_id);
create index on enrolment_list (starts_on, enrolment_id);
create index on enrolment_list (balance_cents, enrolment_id);
create index on enrolment_list (due_on, enrolment_id) where due_on is not null;
create index on enrolment_list using gin (words) with (fastupdate=off);

create view due_parts as
  select enrolment_id, part.*
  from enrolment_list cross join lateral jsonb_to_recordset(due)
    as part (tax_invoice_id bigint, instalment_id bigint, due_on date, due_cents bigint, first_day date)
  where enrolment_list.due_on is not null;

create function list_enrolments(wanted bigint[]) returns void language plpgsql as $$
begin
  -- Whoever changes the same enrolments meanwhile waits here, so that what is read below has what the other committed.
  perform from enrolment_list where enrolment_id = any(wanted) order by enrolment_id for no key update;
  insert into enrolment_list
    select enrolment.id, placed_at, coalesce(its.live_from, 'infinity'), its.places, charged.cents,
      charged.cents - paid_for(enrolment.id), coalesce(due.parts, '[]'), due.first_on,
      array(select distinct method from payments where payments.enrolment_id = enrolment.id order by method),
      its.unnamed_until, coalesce(its.choosing, false), coalesce(its.waiting, false),
      coalesce(its.from_course_date, false), coalesce(its.cancelled, false),
      words_of(reference, buyer_name, email, phone, organisation, purchase_order, its.people,
        (select string_agg(format('INV %1$s INV%1$s %2$s', lpad(number::text, 5, '0'), number), ' ')
          from tax_invoices where enrolment_id = enrolment.id)),
      pg_current_xact_id()
    from enrolments enrolment
      cross join lateral (
        select count(*) filter (where place.state <> 'cancelled') as places,
          min(coalesce(course_date.starts_on, place.guided_from)) filter (where place.state <> 'cancelled'
            and course_date.state is distinct from 'cancelled') as live_from,
          max(coalesce(course_date.starts_on, place.guided_from, 'infinity')) filter (where place.state = 'active'
            and attendee.name is null and course_date.state is distinct from 'cancelled') as unnamed_until,
          bool_or(place.choose_by is not null) as choosing,
          bool_or(place.way = 'next-date' and place.state = 'active') as waiting,
          bool_or(place.choose_by is not null or place.cancelled_why = 'date') as from_course_date,
          bool_or(place.cancelled_why <> 'transfer') as cancelled,
          string_agg(distinct concat_ws(' ', attendee.name, attendee.email), ' ') as people
        from attendees attendee
          left join places place on place.attendee_id = attendee.id
          left join course_dates course_date on course_date.id = place.course_date_id
        where attendee.enrolment_id = enrolment.id
      ) as its
      cross join lateral (
        select coalesce(sum(total_cents - coalesce((
          select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0)), 0)::bigint as cents
        from tax_invoices invoice where invoice.enrolment_id = enrolment.id
      ) as charged
      left join lateral (
        select min(due_on) as first_on, jsonb_agg(jsonb_build_object('tax_invoice_id', tax_invoice_id,
          'instalment_id', instalment_id, 'due_on', due_on, 'due_cents', due_cents, 'first_day', first_day)) as parts
        from (
          select tax_invoice_id, instalment_id, due_on, due_cents, first_day
            from open_invoices(enrolment.id) where due_cents > 0
          union all
          -- More went back than came in: owed again since the day on which the last of it went.
          select null, null, max(refund.sent_on), again.cents, null
            from (select (charged.cents - paid_for(enrolment.id)
              - coalesce((select sum(open_cents) from open_invoices(enrolment.id)), 0))::bigint as cents) as again,
              refunds refund join payments payment on payment.id = refund.payment_id
            where again.cents > 0 and payment.enrolment_id = enrolment.id and refund.state = 'sent'
            group by again.cents
        ) as parts
      ) as due on charged.cents > paid_for(enrolment.id)
    where enrolment.id = any(wanted) order by enrolment.id
    on conflict (enrolment_id) do update set
      (starts_on, places, total_cents, balance_cents, due, due_on, paid_by, unnamed_until, choosing, waiting, from_course_date,
        cancelled, words, written_by)
      = (excluded.starts_on, excluded.places, excluded.total_cents, excluded.balance_cents, excluded.due, excluded.due_on,
        excluded.paid_by, excluded.unnamed_until, excluded.choosing, excluded.waiting, excluded.from_course_date,
        excluded.cancelled, excluded.words, excluded.written_by);
end $$;

-- Writes the rows of enrolment_list that a change is about, at the end of its transaction and once for each enrolment.
create function list_changed() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  case tg_table_name
    when 'enrolments' then
      ids := array[new.id];
    when 'course_dates' then
      ids := array(select enrolment_id from places where course_date_id = new.id);
    when 'tax_invoice_lines' then
      ids := array(select enrolment_id from tax_invoices where id = new.tax_invoice_id);
    when 'adjustment_note_lines' then
      ids := array(select enrolment_id from adjustment_notes note join tax_invoices on tax_invoices.id = tax_invoice_id
        where note.id = new.adjustment_note_id);
    when 'refunds' then
      ids := array(select enrolment_id from payments where id in (new.payment_id, old.payment_id));
    else
      ids := array[new.enrolment_id, old.enrolment_id];
  end case;
  ids := array_remove(ids, null);
  if ids <> '{}' then
    ids := array(
      select distinct id from unnest(ids) as id where not exists (
        select from enrolment_list where enrolment_id = id and written_by = pg_current_xact_id())
      order by id);
  end if;
  if ids <> '{}' then
    perform list_enrolments(ids);
  end if;
  return null;
end $$;

create constraint trigger listed after insert or update of buyer_name, email, phone, organisation, purchase_order
  on enrolments deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after insert or delete or update of name, email
  on attendees deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after insert or delete or update of state, cancelled_why, choose_by, course_date_id,
  guided_from, way, transferred_from, attendee_id
  on places deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after update of state, starts_on, confirmed_on
  on course_dates deferrable initially deferred for each row
  when ((old.state, old.starts_on, old.confirmed_on) is distinct from (new.state, new.starts_on, new.confirmed_on))
  execute function list_changed();
create constraint trigger listed after insert
  on tax_invoice_lines deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after insert
  on adjustment_note_lines deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after insert or delete or update of enrolment_id, amount_cents, method
  on payments deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after insert or delete or update
  on refunds deferrable initially deferred for each row execute function list_changed();
create constraint trigger listed after insert or update of ended_at
  on instalments deferrable initially deferred for each row execute function list_changed();

-- At the end of each transaction that changed what was paid or charged: an act may write several documents.
create function allocate_when_listed() returns trigger language plpgsql as $$
begin
  if exists (select from payment_allocations where enrolment_id = new.enrolment_id) then
    perform allocate_payments(new.enrolment_id);
  end if;
  return null;
end $$;

create constraint trigger allocate_when_listed after update of total_cents, balance_cents on enrolment_list
  deferrable initially deferred for each row
  when ((old.total_cents, old.balance_cents) is distinct from (new.total_cents, new.balance_cents))
  execute function allocate_when_listed();

-- Acts of staff on many at once (P101), numbered. What became of their emails is read from these.
create table bulk_actions (
  number bigint generated always as identity primary key,
  act text not null check (act in ('message', 'remind', 'ask-names')),
  -- Of a message, with fields in braces.
  subject text check (length(subject) between 1 and 120),
  body text check (length(body) between 1 and 5000),
  made_by bigint references people on delete set null,
  made_at timestamptz not null,
  taken_back_at timestamptz,
  check ((act = 'message') = (subject is not null)),
  check ((act = 'message') = (body is not null))
);
create index on bulk_actions (made_by);

-- Searches that found no course. Empty words count those whose words are not kept.
create table lost_searches (
  day date not null,
  words text not null check (length(words) <= 60),
  asked integer not null,
  primary key (day, words)
);

-- Keyed hashes that tell how many networks asked for the same words: words are kept once three did. Another key for each
-- of the words, so that no row leads to another of the same network.
create table lost_search_askers (
  words_hash text not null,
  asker_hash text not null,
  asked_on date not null,
  primary key (words_hash, asker_hash)
);
create index on lost_search_askers (asked_on);
