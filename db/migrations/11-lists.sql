-- What the list of enrolments is filtered and ordered by, one row for each. Only lists and counts read it: what is owed is
-- computed wherever it counts (P39). Triggers write it in the transaction of what it is computed from.
create table enrolment_list (
  enrolment_id bigint primary key references enrolments on delete cascade,
  enrolled_at timestamptz not null,
  -- First day of the places that are not cancelled, of all when each is; infinity without a date.
  starts_on date not null default 'infinity',
  -- Those that are not cancelled.
  places integer not null default 0,
  -- Invoiced less credited.
  total_cents bigint not null default 0,
  balance_cents bigint not null default 0,
  -- From when something is due (open_invoices); null while nothing is.
  due_on date,
  paid_by text[] not null default '{}',
  -- An active place whose attendee has no name yet.
  name_missing boolean not null default false,
  -- A buyer chooses, a place waits for the next date, one comes from a cancelled session, one was cancelled.
  choosing boolean not null default false,
  waiting boolean not null default false,
  from_session boolean not null default false,
  cancelled boolean not null default false
);
create index on enrolment_list (enrolled_at, enrolment_id);
create index on enrolment_list (starts_on, enrolment_id);
create index on enrolment_list (balance_cents, enrolment_id);
create index enrolment_list_unpaid on enrolment_list (enrolled_at, enrolment_id) where balance_cents > 0;
create index enrolment_list_overpaid on enrolment_list (enrolled_at, enrolment_id) where balance_cents < 0;
create index enrolment_list_due on enrolment_list (enrolled_at, enrolment_id) where due_on is not null;
create index enrolment_list_due_on on enrolment_list (due_on, enrolment_id) where due_on is not null;
create index enrolment_list_unnamed on enrolment_list (starts_on, enrolment_id) where name_missing;
create index enrolment_list_choosing on enrolment_list (enrolled_at, enrolment_id) where choosing;
create index enrolment_list_waiting on enrolment_list (enrolled_at, enrolment_id) where waiting;
create index enrolment_list_session on enrolment_list (enrolled_at, enrolment_id) where from_session;
create index enrolment_list_cancelled on enrolment_list (enrolled_at, enrolment_id) where cancelled;
-- Enrolments that were paid in part or too much: the payments that staff look at are theirs (P39).
create index enrolment_list_uneven on enrolment_list (enrolment_id) where balance_cents <> 0 and paid_by <> '{}';

create function is_paid(listed enrolment_list) returns boolean language sql immutable as $$
  select listed.balance_cents <= 0 and listed.paid_by <> '{}'
$$;

-- What is charged and whether it is paid, of the row that every change of an enrolment locks and writes (0073).
create function count_listed() returns trigger language plpgsql as $$
declare
  cents_before bigint := case tg_op when 'UPDATE' then old.total_cents else 0 end;
  paid_before boolean := tg_op = 'UPDATE' and is_paid(old);
begin
  if new.total_cents <> cents_before then
    insert into figure_entries (what, day, cents)
      select source_of(placed_by, payer), (placed_at at time zone 'Australia/Brisbane')::date,
        new.total_cents - cents_before
      from enrolments where id = new.enrolment_id;
  end if;
  if is_paid(new) <> paid_before then
    insert into figure_entries (what, day, course_id, items)
      select 'paid', (placed_at at time zone 'Australia/Brisbane')::date, course_id, case when paid_before then -1 else 1 end
      from enrolments join enrolment_courses on enrolment_id = id
      where id = new.enrolment_id and placed_by is null;
  end if;
  return null;
end $$;

-- At the end of each transaction that changed what was paid or charged: an act may write several documents.
create function allocate_when_listed() returns trigger language plpgsql as $$
begin
  if exists (select from payment_allocations where enrolment_id = new.enrolment_id) then
    perform allocate_payments(new.enrolment_id);
  end if;
  return null;
end $$;

create trigger count_listed after insert or update of total_cents, balance_cents, paid_by on enrolment_list
  for each row execute function count_listed();
create constraint trigger allocate_when_listed after update of total_cents, balance_cents on enrolment_list
  deferrable initially deferred for each row
  when ((old.total_cents, old.balance_cents) is distinct from (new.total_cents, new.balance_cents))
  execute function allocate_when_listed();

-- The courses of an enrolment, cancelled places too, in the two orders in which lists of one course are read.
create table enrolment_courses (
  course_id bigint not null references courses,
  enrolment_id bigint not null references enrolment_list (enrolment_id) on delete cascade,
  enrolled_at timestamptz not null,
  starts_on date not null,
  primary key (enrolment_id, course_id)
);
create index on enrolment_courses (course_id, enrolled_at, enrolment_id);
create index on enrolment_courses (course_id, starts_on, enrolment_id);

-- The courses of an enrolment from our pages.
create function count_course() returns trigger language plpgsql as $$
begin
  insert into figure_entries (what, day, course_id, items)
    select counted.what, (placed_at at time zone 'Australia/Brisbane')::date, new.course_id, 1
    from enrolments join enrolment_list list on list.enrolment_id = enrolments.id
      cross join lateral (select 'placed' as what union all select 'paid' where is_paid(list)) as counted
    where enrolments.id = new.enrolment_id and placed_by is null;
  return null;
end $$;

create trigger count_course after insert on enrolment_courses for each row execute function count_course();

-- What lists of enrolments are filtered and searched by, one row for each. Only lists read it: what is owed is computed
-- wherever it counts (P39). Triggers write it in the transaction of what it is computed from.
create table enrolment_index (
  enrolment_id bigint primary key references enrolments on delete cascade,
  -- Reference, buyer, attendees and numbers of invoices; punctuation separates words, as in enquiries.
  words tsvector not null,
  balance_cents bigint not null,
  -- When the first invoice falls due that is not paid in full, if the oldest is paid first.
  due_on date
);
create index on enrolment_index using gin (words) with (fastupdate=off);
create index on enrolment_index (due_on, enrolment_id) where balance_cents > 0;
create index on enrolment_index (enrolment_id) where balance_cents > 0;
create index on enrolment_index (enrolment_id) where balance_cents < 0;
-- Suggestions look for a name among what is owed alone, which stays few however many enrolments there are (P83).
create index on enrolment_index using gin (words) with (fastupdate=off) where balance_cents > 0;

-- Buyers, attendees and money: whatever changes them writes enrolment_index anew.
create function list_indexed() returns trigger language plpgsql as $$
begin
  perform list_enrolments(array[new.enrolment_id]);
  return null;
end $$;

create trigger list_indexed after update on enrolment_index for each row execute function list_indexed();

-- The rows of open_invoices of which something is due. Only list_enrolments writes them, in the transaction of what they
-- are computed from; only lists and sums read them.
create table due_parts (
  enrolment_id bigint not null references enrolment_list (enrolment_id) on delete cascade,
  tax_invoice_id bigint not null,
  instalment_id bigint,
  due_on date not null,
  due_cents bigint not null,
  first_day date,
  unique nulls not distinct (enrolment_id, tax_invoice_id, instalment_id)
);
create index on due_parts (due_on, enrolment_id) include (due_cents);

-- The first day on which something is due is read from due_parts, which list_enrolments has just written.
create function enrolment_facts(wanted bigint[]) returns table (
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
        bool_or(place.choose_by is not null or place.cancelled_why = 'session') as from_session,
        bool_or(place.cancelled_why <> 'transfer') as cancelled
      from places place
        join attendees attendee on attendee.id = place.attendee_id
        left join training_sessions session on session.id = place.training_session_id
      where place.enrolment_id = enrolment.id
    ) as its on true
  where enrolment.id = any(wanted)
$$;

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

-- What each day had, and each week by its Monday. Only the job that adds up figure_entries writes here, so the two together
-- are the ledger's sums at every moment.
create table figures (
  what text not null,
  span text not null check (span in ('day', 'week')),
  starts date not null,
  -- 0: of no course, or of all.
  course_id bigint not null,
  items bigint not null,
  cents bigint not null,
  gst_cents bigint not null,
  primary key (what, span, starts, course_id)
);

-- What came to a day, below zero: what went. Written by triggers in the transaction of the change and only added to, so
-- nobody who sells waits for another.
create table figure_entries (
  id bigint generated always as identity primary key,
  what text not null,
  day date not null,
  course_id bigint not null default 0,
  items bigint not null default 0,
  cents bigint not null default 0,
  gst_cents bigint not null default 0
);

-- Computes all figures anew from the ledger: for a database that had enrolments before, or had triggers switched off.
-- The second statement sees the ledger and the entries at one moment, so nothing counts twice or never.
create function fill_figures() returns void language plpgsql as $$
begin
  lock table figures in exclusive mode;
  delete from figures;
  with gone as (delete from figure_entries),
  ledger (what, day, course_id, items, cents, gst_cents) as (
    select 'invoices', issued_on, 0, count(*), sum(total_cents), sum(gst_cents) from tax_invoices group by 2
    union all
    select 'notes', issued_on, 0, count(*), sum(total_cents), sum(gst_cents) from adjustment_notes group by 2
    union all
    select 'revenue', issued_on, coalesce(place.course_id, 0), 0, sum(line.amount_cents), 0
      from tax_invoices document join tax_invoice_lines line on line.tax_invoice_id = document.id
        left join places place on place.id = line.place_id group by 2, 3
    union all
    select 'revenue', issued_on, coalesce(place.course_id, 0), 0, -sum(line.amount_cents), 0
      from adjustment_notes document join adjustment_note_lines line on line.adjustment_note_id = document.id
        left join places place on place.id = line.place_id group by 2, 3
    union all
    select 'places', (placed_at at time zone 'Australia/Brisbane')::date, course_id, count(*), 0, 0
      from places where transferred_from is null group by 2, 3
    union all
    select 'received', received_on, 0, count(*), sum(amount_cents), 0 from payments where currency = 'AUD' group by 2
    union all
    select 'refunded', refund.sent_on, 0, count(*),
        sum(refund.amount_cents), 0
      from refunds refund join payments payment on payment.id = refund.payment_id
      where refund.state = 'sent' and currency = 'AUD' group by 2
    union all
    select source_of(placed_by, payer), (placed_at at time zone 'Australia/Brisbane')::date, 0, count(*),
        coalesce(sum(total_cents), 0), 0
      from enrolments left join enrolment_list on enrolment_id = id group by 1, 2
    union all
    select 'placed', (placed_at at time zone 'Australia/Brisbane')::date, course_id, count(*), 0, 0
      from enrolments join enrolment_courses on enrolment_id = id where placed_by is null group by 2, 3
    union all
    select 'paid', (placed_at at time zone 'Australia/Brisbane')::date, course_id, count(*), 0, 0
      from enrolments join enrolment_courses its on its.enrolment_id = id
        join enrolment_list list on list.enrolment_id = id
      where placed_by is null and is_paid(list) group by 2, 3
  )
  insert into figures (what, span, starts, course_id, items, cents, gst_cents)
    select what, span, case span when 'day' then day else date_trunc('week', day)::date end, course_id, sum(items),
      sum(cents), sum(gst_cents)
    from ledger cross join (values ('day'), ('week')) as spans (span)
    group by 1, 2, 3, 4;
end $$;

-- Staff act on many at once (P79) and write to the people of a course date (P80). What is done for whom is fixed when the
-- button is pressed, so that a restart or a second process goes on with what is left.
create table bulk_runs (
  id bigint generated always as identity primary key,
  act text not null check (act in ('message', 'write', 'remind', 'ask-names', 'more-time')),
  -- Of a message: to which course date, in whose words, and whether it is news and offers.
  training_session_id bigint references training_sessions,
  subject text check (length(subject) between 1 and 120),
  body text check (length(body) between 1 and 5000),
  marketing boolean not null default false,
  made_by bigint references people on delete set null,
  made_at timestamptz not null,
  -- Nothing is done before; until then it can be taken back as a whole.
  due_at timestamptz not null,
  stopped_at timestamptz,
  stopped_by bigint references people on delete set null,
  -- Nothing is left to do.
  ended_at timestamptz,
  -- The form by which it was asked for: pressed twice, it is one run.
  form uuid unique,
  -- Of more time to pay: the new day, and why.
  until date,
  reason text check (length(reason) between 1 and 500),
  -- Since when what staff wrote is gone.
  words_erased_at timestamptz,
  -- To what an email goes once; null of acts on enrolments.
  once_for text check (once_for in ('address', 'address and date')),
  -- Its words name somebody who was erased before it was done: they are erased when it is over.
  erase_when_over boolean not null default false,
  check (due_at >= made_at),
  check ((act = 'message') = (training_session_id is not null)),
  check ((act = 'more-time') = (until is not null)),
  check ( case when words_erased_at is null then (act in ('message', 'write')) = (subject is not null
      and body is not null) and (act = 'more-time') = (reason is not null) else subject is null and body is null
      and reason is null end)
);
create index on bulk_runs (due_at) where stopped_at is null and ended_at is null;
create index on bulk_runs (training_session_id);
create index on bulk_runs (made_by);
create index on bulk_runs (stopped_by);

-- For whom, by id alone: addresses and names are read when it is done, and what was erased meanwhile is left out.
create table bulk_run_items (
  id bigint generated always as identity primary key,
  run_id bigint not null references bulk_runs on delete cascade,
  about_kind text not null check (about_kind in ('attendee', 'enrolment', 'waiting-entry')),
  about_id bigint not null,
  state text not null default 'to-do' check (state in ('to-do', 'done', 'left-out')),
  -- Why it was left out: a reason of the program's own.
  why text,
  settled_at timestamptz,
  -- An item at which the program failed is tried again, and given up in the end.
  tries smallint not null default 0,
  -- Of a message to several dates: which one this item names. It is compared with the person's places when it is sent.
  training_session_id bigint,
  -- Mails are kept for some weeks only.
  mail_id uuid,
  check ((why is not null) = (state = 'left-out')),
  check ((settled_at is null) = (state = 'to-do'))
);
create index on bulk_run_items (run_id) where state = 'to-do';
-- Who was asked lately.
create index on bulk_run_items (about_kind, about_id);
create unique index bulk_run_items_once_key on bulk_run_items (run_id, about_kind, about_id, training_session_id) nulls not distinct;
create index on bulk_run_items (training_session_id, run_id) where training_session_id is not null;

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
