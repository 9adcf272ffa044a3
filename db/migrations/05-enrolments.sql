-- A contract with one buyer, for one course or one combo. Amounts, in cents, are fixed here (P30).
create table enrolments (
  id bigint generated always as identity primary key,
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  -- What it was called when it was bought.
  title text not null,
  combo_id bigint references combos,
  buyer_name text not null,
  email text not null,
  -- The address in lower case without what is behind a plus sign: whom the limits count.
  mailbox text not null,
  phone text,
  payer text not null check (payer in ('person', 'organisation')),
  organisation text,
  abn text check (abn ~ '^[0-9]{11}$'),
  address text,
  purchase_order text,
  -- A copy of every invoice goes there.
  accounts_email text,
  placed_at timestamptz not null,
  changed_at timestamptz not null,
  -- Null: the buyer placed it.
  placed_by bigint references people,
  -- SEQUENCE of its calendar entries.
  sequence integer not null default 0,
  -- Who may stand behind several buyers: the part of the address that somebody registered, null for large public providers
  -- and once it was erased; and a keyed hash of the network from which it was placed, kept for a week.
  mail_domain text,
  network text,
  -- How often its buyer had invoices of an enrolment issued anew by correcting what they say (P30).
  corrections integer not null default 0,
  person_id bigint references people,
  -- The very text of the terms that its buyer accepted (P28).
  terms_id integer not null references terms_versions,
  check ((payer = 'organisation') = (organisation is not null))
);
create index on enrolments (mailbox);
create index on enrolments (placed_at, id);
create index on enrolments (mail_domain, changed_at) where mail_domain is not null;
create index on enrolments (network, changed_at) where network is not null;
create index on enrolments (person_id);
create index on enrolments (terms_id);
-- Reports count enrolments and places of a period from indexes alone, without reading the rows (P85).
create index on enrolments (placed_at) where placed_by is not null;
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
create index on enrolments (placed_by);

-- The person with an address, made when there is none; null for no address and for those who were erased. The address is
-- compared as it is but for capital letters: `a.b@gmail.com` and `ab@gmail.com` may be two people. Of two transactions
-- that bring the same new address the second waits for the first.
create function person_of(address text) returns bigint language plpgsql as $$
declare
  found_id bigint;
begin
  if address is null or address like '%@bowerbird.invalid' then
    return null;
  end if;
  loop
    -- Locked, so that it is not forgotten before the row that names it is stored; who was erased meanwhile is not found.
    select people.id into found_id
      from person_emails join people on people.id = person_id
      where person_emails.email = lower(address) and people.email is not null
      for key share of people;
    if found_id is not null then
      return found_id;
    end if;
    insert into people (email) values (lower(address)) on conflict (email) do nothing;
  end loop;
end $$;

-- A telephone number as one word: digits with the country code, as 07 7010 0142, (07) 7010 0142, +61 7 7010 0142 and
-- 0061 7 70100142 all are, without its extension. Null for too few digits.
create function phone_word(phone text) returns text language sql immutable as $$
  select case when length(digits) >= 6 then digits end from (
    select regexp_replace(regexp_replace(regexp_replace(regexp_replace(phone, ';ext=.*|\D', '', 'g'),
      '^00', ''), '^0', '61'), '^610', '61') as digits) as its
$$;

-- For tables with a reference: skips a row whose reference is taken, as "on conflict do nothing" does.
create function issue_reference() returns trigger language plpgsql as $$
begin
  insert into issued_references values (new.reference) on conflict do nothing;
  if not found then
    return null;
  end if;
  return new;
end $$;

create function set_person() returns trigger language plpgsql as $$
begin
  new.person_id := person_of(new.email);
  return new;
end $$;

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
        its_words := words_of(new.buyer_name, new.email, new.organisation, phone_word(new.phone));
      when 'attendees' then
        its_person := new.person_id;
        its_words := words_of(new.name, new.email);
      when 'enquiries' then
        its_person := new.person_id;
        its_words := words_of(new.first_name, new.last_name, new.email, phone_word(new.phone));
      else
        its_person := new.person_id;
        its_words := words_of(new.name, new.email);
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

create trigger issue_reference before insert on enrolments for each row execute function issue_reference();
-- Their names come after those of the triggers that skip a row.
create trigger set_person before insert or update of email on enrolments
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of buyer_name, email, phone, organisation, person_id
  on enrolments for each row execute function person_words_changed();

create table attendees (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  -- Null: named later.
  name text,
  email text,
  mailbox text,
  -- What they need to take part.
  needs text,
  under_18 boolean not null default false,
  guardian_name text,
  guardian_email text,
  -- Whether an attendee with an address was told of their place. Not so when their mailbox had been given too many that day
  -- (P24); until something of ours goes to them, they are not written to about what the buyer does with the place either.
  told boolean not null default true,
  person_id bigint references people,
  -- Courses of a combo that have begun stay with their attendee when the others are given to another person (P100). By this
  -- column they are still one purchase (P99).
  parted_from bigint references attendees on delete set null,
  check (not under_18 or guardian_name is not null)
);
create index on attendees (enrolment_id);
create index on attendees (mailbox);
create index on attendees (person_id);
-- Whose needs and guardian are to be erased after the course.
create index attendees_with_needs on attendees (id) where needs is not null or guardian_name is not null or under_18;
-- The first page for staff lists who is still to be named; few are, of all that ever attended.
create index attendees_to_be_named on attendees (id) where name is null;
-- Deleting an attendee looks for those who parted from them.
create index attendees_parted_from on attendees (parted_from) where parted_from is not null;

create trigger set_person before insert or update of email on attendees
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on attendees for each row execute function person_words_changed();

-- One attendee on one course (P39).
create table places (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  attendee_id bigint not null references attendees on delete cascade,
  course_id bigint not null references courses,
  -- P38: on a date, guided, or on the list for the next date.
  way text not null check (way in ('date', 'guided', 'next-date')),
  course_date_id bigint references course_dates,
  -- The Monday on which guided study starts.
  guided_from date check (extract(isodow from guided_from) = 1),
  -- The course's own price, what the combo takes off it, why ("Combo −30%"), and what is paid: GST included.
  price_cents integer not null check (price_cents >= 0),
  discount_cents integer not null default 0,
  discount text,
  state text not null default 'active' check (state in ('active', 'completed', 'cancelled')),
  placed_at timestamptz not null,
  cancelled_at timestamptz,
  -- Who ended it: its buyer, staff, the academy, which cancelled or moved the course date, or a move to another date.
  cancelled_why text check (cancelled_why in ('buyer', 'staff', 'date', 'transfer')),
  -- The place from which it was moved (P100).
  transferred_from bigint unique references places,
  -- Its buyer's free move is used, and so many percent of the charge came back on the day of it: a later refund is never
  -- more (P100). A move that the academy caused changes nothing here.
  move_cap smallint check (move_cap in (0, 50, 100)),
  -- The academy cancelled or moved its course date: until this day its buyer chooses (P100).
  choose_by date,
  choose_why text check (choose_why in ('course-date-cancelled', 'course-date-moved')),
  -- [{"module": …, "topics": […]}], in order; null unless it is studied guided.
  modules jsonb check (modules is null or jsonb_array_length(modules) > 0),
  calendar_id uuid not null default gen_random_uuid(),
  -- Null: placed before there were periods, or at a price seen before.
  price_id bigint references prices,
  -- {"attendance": percent of the minutes taught} or {"exercises": "all"}, with the hours and the level that the XP of the
  -- course are counted from: as they were when it was sold.
  completion jsonb,
  -- A place that was bought without a date: when it got one (P100). From then on its buyer knows what cancelling costs, so the
  -- hours in which all comes back count from there. Null for places that had their date from the start, and for older ones.
  dated_at timestamptz,
  check (discount_cents between 0 and price_cents),
  check ((way = 'date') = (course_date_id is not null)),
  check ((way = 'guided') = (guided_from is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_at is null) = (cancelled_why is null)),
  check ((choose_by is null) = (choose_why is null)),
  check (choose_by is null or state = 'active'),
  check ((way = 'guided') = (modules is not null))
);
create index on places (enrolment_id);
create index on places (attendee_id);
create index on places (course_date_id);
create index on places (course_id, placed_at);
create index on places (choose_by) where choose_by is not null;
create index on places (enrolment_id) where way = 'next-date' and state = 'active';
create index on places (guided_from) where way = 'guided' and state = 'active';
-- Reports count places by the day they were bought or cancelled, and entries of waiting lists by the day they were made (P85).
create index on places (placed_at);
create index on places (cancelled_at) where cancelled_at is not null;
create index on places (placed_at) include (course_id) where transferred_from is null;

create function fix_modules() returns trigger language plpgsql as $$
begin
  if new.way = 'guided' and new.modules is null then
    new.modules := modules_of_course(new.course_id);
  end if;
  return new;
end $$;

-- "work" in the rule of a place has the words of its course under "Certification" (P61), where it asks for work besides
-- attendance or exercises. A place that goes on as another one keeps the rule that it was sold with; one that goes on in
-- another way keeps that part of it.
create function fix_completion() returns trigger language plpgsql as $$
declare
  before places;
  work text;
begin
  if tg_op = 'UPDATE' then
    before := old;
  else
    select * into before from places where id = new.transferred_from;
  end if;
  if before.completion is not null and (new.way = 'guided') = (before.way = 'guided') then
    new.completion := before.completion;
    return new;
  end if;
  if before.id is null then
    select details ->> 'credential' into work from courses
    where id = new.course_id and (details -> 'completion' ->> 'attendanceAlone') is distinct from 'true';
  else
    work := before.completion ->> 'work';
  end if;
  new.completion := completion_of_course(new.course_id, new.way)
    || case when work is null then '{}' else jsonb_build_object('work', work) end;
  return new;
end $$;

create trigger fix_modules before insert or update of way on places for each row execute function fix_modules();
create trigger fix_completion before insert or update of way on places for each row execute function fix_completion();

-- What somebody fills in before an enrolment is placed, step by step, found again by a private link.
create table enrolment_drafts (
  id bigint generated always as identity primary key,
  -- SHA-256 of the link's token, base64url.
  token_hash text not null unique,
  -- What was typed, by step; each step's own schema says what is in it.
  -- The price shown first, in cents, which holds for the visit; by item.
  prices jsonb not null default '{}',
  -- The address that its owner has confirmed by a code (P28).
  confirmed_email text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- Set when it was placed; what was typed is then emptied.
  enrolment_id bigint unique references enrolments on delete set null,
  -- What was typed, by step.
  typed jsonb not null default '{}'
);
create index on enrolment_drafts (changed_at) where enrolment_id is null;

-- The addresses that were named for copies of the invoices of an enrolment (P30), and since when somebody who reads their
-- mail agreed to that. Nothing else is sent to an address before.
create table accounts_addresses (
  enrolment_id bigint not null references enrolments on delete cascade,
  -- In lower case.
  email text not null,
  -- SHA-256 of the token of its link, base64url.
  token_hash text not null unique,
  named_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (enrolment_id, email)
);

-- Corrections of who buys and attends, with the names before and after; other fields are named only.
create table corrections (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  -- Null: the buyer's own details.
  attendee_id bigint references attendees on delete cascade,
  at timestamptz not null,
  by_kind text not null check (by_kind in ('buyer', 'staff', 'program')),
  person_id bigint references people,
  fields text[] not null,
  name_before text,
  name_after text
);
create index on corrections (enrolment_id);
create index on corrections (attendee_id);
create index on corrections (person_id);

-- When somebody opened what is theirs first: the buyer (no attendee) or an attendee. Kept with the enrolment.
create table first_openings (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  attendee_id bigint references attendees on delete cascade,
  what text not null check (what in ('page', 'tax-invoice', 'adjustment-note', 'calendar')),
  -- Of a document.
  document_id bigint,
  opened_at timestamptz not null,
  unique nulls not distinct (enrolment_id, attendee_id, what, document_id)
);
create index on first_openings (attendee_id);

-- An attendee said that they cannot come on some days of their course date: once a day.
create table absence_notices (
  id bigint generated always as identity primary key,
  place_id bigint not null references places on delete cascade,
  -- The day in Brisbane on which it was said.
  told_on date not null,
  told_at timestamptz not null,
  days date[] not null check (cardinality(days) <= 60),
  -- What they wrote; null for nothing, and once they were erased.
  note text check (length(note) between 1 and 500)
);
-- The next file drops the unique index by which absences of a place are found.
create index absence_notices_of_place on absence_notices (place_id, told_on);
