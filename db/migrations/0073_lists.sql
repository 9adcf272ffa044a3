-- phase: expand
-- Lists of enrolments and people are read from tables of their own: one page costs the same however many there are (P78).

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

-- The courses of an enrolment, cancelled places too, in the two orders in which lists of one course are read.
create table enrolment_courses (
  course_id bigint not null references courses,
  enrolment_id bigint not null references enrolment_list on delete cascade,
  enrolled_at timestamptz not null,
  starts_on date not null,
  primary key (enrolment_id, course_id)
);
create index on enrolment_courses (course_id, enrolled_at, enrolment_id);
create index on enrolment_courses (course_id, starts_on, enrolment_id);

-- What the list says of enrolments, computed anew.
create function enrolment_facts(wanted bigint[]) returns table (
  enrolment_id bigint, starts_on date, places integer, total_cents bigint, balance_cents bigint, due_on date,
  paid_by text[], name_missing boolean, choosing boolean, waiting boolean, from_session boolean, cancelled boolean
) language sql stable as $$
  select enrolment.id, coalesce(its.live_from, its.any_from, 'infinity'), its.places::integer,
    coalesce((select sum(total_cents - coalesce(
        (select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0))
      from tax_invoices invoice where invoice.enrolment_id = enrolment.id), 0)::bigint,
    coalesce(money.balance_cents, 0),
    case when money.balance_cents > 0
      then (select min(open.due_on) from open_invoices(enrolment.id) as open) end,
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

create function list_enrolments(wanted bigint[]) returns void language plpgsql as $$
begin
  insert into enrolment_list (enrolment_id, enrolled_at)
    select id, placed_at from enrolments where id = any(wanted) order by id
    on conflict do nothing;
  -- Whoever changes the same enrolments meanwhile waits here, so that what is read below has what the other committed.
  perform from enrolment_list where enrolment_id = any(wanted) order by enrolment_id for no key update;
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

-- Buyers, attendees and money: whatever changes them writes enrolment_index anew.
create function list_indexed() returns trigger language plpgsql as $$
begin
  perform list_enrolments(array[new.enrolment_id]);
  return null;
end $$;
create trigger list_indexed after update on enrolment_index for each row execute function list_indexed();

-- An invoice and a note are written before their lines, which say what is open of them.
create function list_invoiced() returns trigger language plpgsql as $$
begin
  perform list_enrolments(array(
    select distinct enrolment_id from tax_invoices
      where id in (select tax_invoice_id from added) and enrolment_id is not null order by enrolment_id));
  return null;
end $$;
create trigger list_invoiced after insert on tax_invoice_lines referencing new table as added
  for each statement execute function list_invoiced();
create function list_credited() returns trigger language plpgsql as $$
begin
  perform list_enrolments(array(
    select distinct enrolment_id from tax_invoices invoice
      join adjustment_notes note on note.tax_invoice_id = invoice.id
      where note.id in (select adjustment_note_id from added) and enrolment_id is not null order by enrolment_id));
  return null;
end $$;
create trigger list_credited after insert on adjustment_note_lines referencing new table as added
  for each statement execute function list_credited();

create function list_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform list_enrolments(array[old.enrolment_id]);
  else
    perform list_enrolments(array[new.enrolment_id]);
  end if;
  return null;
end $$;
create trigger list_places after insert or delete or update of state, cancelled_why, choose_by, training_session_id,
  guided_from, way, transferred_from, attendee_id on places for each row execute function list_places();

create function list_session() returns trigger language plpgsql as $$
begin
  perform list_enrolments(array(
    select distinct enrolment_id from places where training_session_id = new.id order by enrolment_id));
  return null;
end $$;
create trigger list_session after update of state, starts_on, confirmed_on on training_sessions for each row
  when ((old.state, old.starts_on, old.confirmed_on) is distinct from (new.state, new.starts_on, new.confirmed_on))
  execute function list_session();

-- A telephone number as one word: digits with the country code, as 07 7010 0142, (07) 7010 0142, +61 7 7010 0142 and
-- 0061 7 70100142 all are. Null for too few digits.
create function phone_word(phone text) returns text language sql immutable as $$
  select case when length(digits) >= 6 then digits end from (
    select regexp_replace(regexp_replace(regexp_replace(regexp_replace(phone, '\D', '', 'g'),
      '^00', ''), '^0', '61'), '^610', '61') as digits) as its
$$;

create function person_tsvector(variadic texts text[]) returns tsvector language sql immutable as $$
  select to_tsvector('simple', regexp_replace(concat_ws(' ', variadic texts), '[!-/:-@[-`{-~]+', ' ', 'g'))
$$;

-- What people are searched by: a row for each record that names one, so that nobody who writes waits for another.
create table person_words (
  source text not null,
  source_id bigint not null,
  person_id bigint not null references people on delete cascade,
  words tsvector not null,
  primary key (source, source_id)
);
create index on person_words (person_id);
create index on person_words using gin (words) with (fastupdate = off);

create function person_words_changed() returns trigger language plpgsql as $$
declare
  its_id bigint := coalesce(new.id, old.id);
  its_person bigint;
  its_words tsvector;
begin
  if tg_op <> 'DELETE' then
    case tg_table_name
      when 'enrolments' then
        its_person := new.person_id;
        its_words := person_tsvector(new.buyer_name, new.email, new.organisation, phone_word(new.phone));
      when 'attendees' then
        its_person := new.person_id;
        its_words := person_tsvector(new.name, new.email);
      when 'enquiries' then
        its_person := new.person_id;
        its_words := person_tsvector(new.first_name, new.last_name, new.email, phone_word(new.phone));
      else
        its_person := new.person_id;
        its_words := person_tsvector(new.name, new.email);
    end case;
  end if;
  if its_person is null then
    delete from person_words where source = tg_table_name and source_id = its_id;
  else
    insert into person_words (source, source_id, person_id, words) values (tg_table_name, its_id, its_person, its_words)
      on conflict (source, source_id) do update set person_id = excluded.person_id, words = excluded.words
        where (person_words.person_id, person_words.words) is distinct from (excluded.person_id, excluded.words);
  end if;
  return null;
end $$;
create trigger person_words_changed after insert or delete or update of buyer_name, email, phone, organisation, person_id
  on enrolments for each row execute function person_words_changed();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on attendees for each row execute function person_words_changed();
create trigger person_words_changed after insert or delete or update of first_name, last_name, email, phone, person_id
  on enquiries for each row execute function person_words_changed();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on bookings for each row execute function person_words_changed();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on conversations for each row execute function person_words_changed();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on waiting_entries for each row execute function person_words_changed();

-- A person's own name and all addresses, also those that nothing else names.
create function own_words_changed() returns trigger language plpgsql as $$
declare
  its_person bigint;
begin
  if tg_table_name = 'people' then
    its_person := new.id;
  elsif tg_op = 'DELETE' then
    its_person := old.person_id;
  else
    its_person := new.person_id;
  end if;
  insert into person_words (source, source_id, person_id, words)
    select 'people', id, id, person_tsvector(name, (select string_agg(email, ' ') from person_emails where person_id = id))
    from people where id = its_person
    on conflict (source, source_id) do update set words = excluded.words
      where person_words.words is distinct from excluded.words;
  return null;
end $$;
create trigger own_words_changed after insert or update of name on people
  for each row when (new.name is not null) execute function own_words_changed();
create trigger own_words_changed after insert or delete or update of person_id, email on person_emails
  for each row execute function own_words_changed();

-- Lists under a name: the query of an address, without words of a search, which may be somebody's name.
create table saved_views (
  id bigint generated always as identity primary key,
  list text not null check (list in ('enrolments', 'people', 'sessions', 'enquiries')),
  name text not null check (length(name) between 1 and 40),
  query text not null check (length(query) <= 500),
  person_id bigint not null references people on delete cascade,
  shared boolean not null default false,
  made_at timestamptz not null
);
create unique index on saved_views (person_id, list, lower(name));
create index on saved_views (list) where shared;
