-- Enrolment: seats as movements (P27), enrolments and places (P28, P38, P39), tax invoices (P30), money, waiting lists
-- (P48). Times are true times, whatever day a setting fixes; days are days in Brisbane.

-- Whether a training session runs, from how many people on, by when that is decided, and until when one can enrol.
alter table training_sessions
  add column state text not null default 'tentative' check (state in ('tentative', 'confirmed', 'cancelled')),
  add column minimum integer not null default 1 check (minimum >= 1),
  -- Null when it was confirmed from the start.
  add column decided_by date,
  -- The last day of enrolment.
  add column enrolment_ends_on date,
  add column confirmed_on date;
update training_sessions set state = 'confirmed', enrolment_ends_on = starts_on - 1;
alter table training_sessions
  alter column enrolment_ends_on set not null,
  add check (minimum <= capacity),
  add check (enrolment_ends_on <= ends_on),
  -- P39: at least 14 days before the first day.
  add check (decided_by <= starts_on - 14),
  add check (state = 'confirmed' or decided_by is not null);

-- What was imported before had neither: the next import must not take them for changes made in the database.
update imported_records
set value = value || jsonb_build_object('minimum', 1, 'enrolmentEnds', (value ->> 'startDate')::date - 1)
where kind = 'training session';

-- One that needs no decision is confirmed.
create function confirm_undecided() returns trigger language plpgsql as $$
begin
  if new.decided_by is null and new.state = 'tentative' then
    new.state := 'confirmed';
  end if;
  return new;
end $$;
create trigger confirm_undecided before insert or update on training_sessions
  for each row execute function confirm_undecided();

drop trigger snapshot_changed on training_sessions;
create trigger snapshot_changed
  after insert or delete or truncate
  or update of slug, course_id, starts_on, ends_on, starts_at, ends_at, zone, delivery, venue, instructor_slug, retired_at,
    state, minimum, decided_by, enrolment_ends_on
  on training_sessions
  for each statement execute function snapshot_part_changed('catalogue');

-- P38: whether a course can be taken guided.
alter table courses add column guided boolean not null default false;

-- What somebody fills in before an enrolment is placed, step by step, found again by a private link.
create table enrolment_drafts (
  id bigint generated always as identity primary key,
  -- SHA-256 of the link's token, base64url.
  token_hash text not null unique,
  -- What was typed, by step; each step's own schema says what is in it.
  choice jsonb not null default '{}',
  attendees jsonb not null default '{}',
  payer jsonb not null default '{}',
  terms jsonb not null default '{}',
  -- The price shown first, in cents, which holds for the visit; by item.
  prices jsonb not null default '{}',
  -- The address that its owner has confirmed by a code (P28).
  confirmed_email text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- Set when it was placed; what was typed is then emptied.
  enrolment_id bigint unique
);
create index on enrolment_drafts (changed_at) where enrolment_id is null;

-- Codes sent to confirm an address.
create table email_codes (
  id bigint generated always as identity primary key,
  draft_id bigint not null references enrolment_drafts on delete cascade,
  email text not null,
  code_hash text not null,
  sent_at timestamptz not null,
  tries integer not null default 0 check (tries between 0 and 5),
  used_at timestamptz
);
create index on email_codes (draft_id);

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
  -- The day of the version of /terms that was accepted.
  terms_version date not null,
  placed_at timestamptz not null,
  changed_at timestamptz not null,
  -- Null: the buyer placed it.
  placed_by bigint references people,
  -- SEQUENCE of its calendar entries.
  sequence integer not null default 0,
  check ((payer = 'organisation') = (organisation is not null))
);
create index on enrolments (mailbox);
create index on enrolments (placed_at, id);
create trigger issue_reference before insert on enrolments for each row execute function issue_reference();
alter table enrolment_drafts add foreign key (enrolment_id) references enrolments on delete set null;

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
  check (not under_18 or guardian_name is not null)
);
create index on attendees (enrolment_id);
create index on attendees (mailbox);

-- One attendee on one course (P39).
create table places (
  id bigint generated always as identity primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  attendee_id bigint not null references attendees on delete cascade,
  course_id bigint not null references courses,
  -- P38: on a date, guided, or on the list for the next date.
  way text not null check (way in ('session', 'guided', 'next-date')),
  training_session_id bigint references training_sessions,
  -- The Monday on which guided study starts.
  guided_from date check (extract(isodow from guided_from) = 1),
  -- When the attendee first opened the guided course.
  opened_at timestamptz,
  -- The course's own price, what the combo takes off it, why ("Combo −30%"), and what is paid: GST included.
  price_cents integer not null check (price_cents >= 0),
  discount_cents integer not null default 0 check (discount_cents between 0 and price_cents),
  discount text,
  state text not null default 'active' check (state in ('active', 'completed', 'cancelled')),
  placed_at timestamptz not null,
  cancelled_at timestamptz,
  -- Who ended it and why: by its buyer, by staff, with its session, or by a transfer.
  cancelled_why text check (cancelled_why in ('buyer', 'staff', 'session', 'transfer', 'lapsed')),
  -- The place from which it was moved, and when that was (P40).
  transferred_from bigint unique references places,
  -- Moves that the academy caused do not use up the free one.
  free_moves_used integer not null default 0,
  check ((way = 'session') = (training_session_id is not null)),
  check ((way = 'guided') = (guided_from is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_at is null) = (cancelled_why is null))
);
create index on places (enrolment_id);
create index on places (attendee_id);
create index on places (training_session_id);
create index on places (course_id);

-- Private links (P32): the buyer's when attendee_id is null, otherwise an attendee's.
create table enrolment_links (
  token_hash text primary key,
  enrolment_id bigint not null references enrolments on delete cascade,
  attendee_id bigint references attendees on delete cascade
);
create index on enrolment_links (enrolment_id);
create index on enrolment_links (attendee_id);

-- Seats kept for a while: for somebody filling in the form, for an offer from a waiting list, or for a quote of staff.
create table seat_holds (
  id bigint generated always as identity primary key,
  training_session_id bigint not null references training_sessions,
  seats integer not null check (seats > 0),
  purpose text not null check (purpose in ('enrolment', 'offer', 'quote')),
  draft_id bigint references enrolment_drafts on delete set null,
  made_at timestamptz not null,
  -- Null: until staff or its purpose end it.
  expires_at timestamptz,
  extended integer not null default 0 check (extended between 0 and 10),
  ended_at timestamptz,
  ended text check (ended in ('sold', 'released', 'expired')),
  check ((ended_at is null) = (ended is null))
);
create index on seat_holds (training_session_id) where ended_at is null;
create index on seat_holds (expires_at) where ended_at is null;
create index on seat_holds (draft_id);

-- The ledger (P27). Never changed, only added to; it names no person.
create table seat_movements (
  id bigint generated always as identity primary key,
  training_session_id bigint not null references training_sessions,
  kind text not null check (kind in ('hold', 'release', 'sale', 'cancellation')),
  -- Seats taken; below zero: seats given back.
  seats integer not null,
  hold_id bigint references seat_holds,
  -- No reference: the place may be erased with its person, the movement stays.
  place_id bigint,
  at timestamptz not null,
  check (case when kind in ('hold', 'sale') then seats > 0 else seats < 0 end),
  check ((kind in ('hold', 'release')) = (hold_id is not null)),
  check ((kind in ('sale', 'cancellation')) = (place_id is not null)),
  unique (hold_id, kind),
  unique (place_id, kind)
);
create index on seat_movements (training_session_id) include (seats);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name;
end $$;
create trigger only_added_to before update or delete or truncate on seat_movements
  for each statement execute function refuse_change();

-- Stands behind the lock of the commands: what is sold, held and offered never exceeds the capacity, nor falls below zero.
create function check_seats() returns trigger language plpgsql as $$
declare
  seats_of_session integer;
  taken bigint;
begin
  select capacity into seats_of_session from training_sessions
    where id = new.training_session_id for no key update;
  select coalesce(sum(seats), 0) into taken from seat_movements
    where training_session_id = new.training_session_id;
  if taken < 0 or taken > seats_of_session then
    raise exception 'training session % has % seats, % would be taken', new.training_session_id, seats_of_session, taken
      using errcode = 'check_violation', constraint = 'seats_within_capacity';
  end if;
  return null;
end $$;
create trigger check_seats after insert on seat_movements for each row execute function check_seats();

create function check_capacity() returns trigger language plpgsql as $$
declare
  taken bigint;
begin
  select coalesce(sum(seats), 0) into taken from seat_movements where training_session_id = new.id;
  if taken > new.capacity then
    raise exception 'training session % has % seats taken, its capacity cannot be %', new.id, taken, new.capacity
      using errcode = 'check_violation', constraint = 'seats_within_capacity';
  end if;
  return null;
end $$;
create trigger check_capacity after update of capacity on training_sessions
  for each row execute function check_capacity();

-- At the end of the transaction, so that those who wait for the version's row do so while nothing else is to be locked.
create constraint trigger seats_changed after insert on seat_movements
  deferrable initially deferred for each row execute function snapshot_part_changed('seats');

-- Numbers without gaps (P30): the row is locked until the document is stored.
create table document_numbers (
  kind text primary key check (kind in ('tax-invoice', 'adjustment-note')),
  last integer not null
);
insert into document_numbers values ('tax-invoice', 0), ('adjustment-note', 0);

create table tax_invoices (
  id bigint generated always as identity primary key,
  number integer not null unique,
  -- Kept when its enrolment's people are erased: invoices are kept for as long as the law asks.
  enrolment_id bigint references enrolments on delete set null,
  issued_on date not null,
  total_cents integer not null check (total_cents >= 0),
  gst_cents integer not null check (gst_cents >= 0),
  -- Everything the document shows; the same facts give the same bytes.
  facts jsonb not null,
  created_at timestamptz not null
);
create index on tax_invoices (enrolment_id);
create table tax_invoice_lines (
  tax_invoice_id bigint not null references tax_invoices,
  position integer not null,
  place_id bigint,
  description text not null,
  amount_cents integer not null check (amount_cents >= 0),
  gst_cents integer not null check (gst_cents >= 0),
  primary key (tax_invoice_id, position)
);
create index on tax_invoice_lines (place_id);

create table adjustment_notes (
  id bigint generated always as identity primary key,
  number integer not null unique,
  tax_invoice_id bigint not null references tax_invoices,
  issued_on date not null,
  reason text not null,
  -- By how much the price and its GST fall.
  total_cents integer not null check (total_cents > 0),
  gst_cents integer not null check (gst_cents >= 0),
  facts jsonb not null,
  created_at timestamptz not null
);
create index on adjustment_notes (tax_invoice_id);
create table adjustment_note_lines (
  adjustment_note_id bigint not null references adjustment_notes,
  position integer not null,
  -- The line of the invoice that it lowers.
  invoice_position integer not null,
  place_id bigint,
  amount_cents integer not null check (amount_cents > 0),
  gst_cents integer not null check (gst_cents >= 0),
  primary key (adjustment_note_id, position)
);

do $$
declare name text;
begin
  foreach name in array array['tax_invoice_lines', 'adjustment_notes', 'adjustment_note_lines'] loop
    execute format('create trigger only_added_to before update or delete or truncate on %I
      for each statement execute function refuse_change()', name);
  end loop;
end $$;

-- Money that came in. What is owed is computed: invoices less adjustment notes less payments plus refunds (P39).
create table payments (
  id bigint generated always as identity primary key,
  -- Null: not matched to an enrolment yet.
  enrolment_id bigint references enrolments on delete set null,
  amount_cents integer not null check (amount_cents > 0),
  received_on date not null,
  method text not null check (method in ('bank', 'card', 'other')),
  -- What tells it from every other, such as the line of a bank statement: the same is recorded once.
  source text not null unique,
  -- The words of the payer, such as the reference on the transfer.
  words text,
  recorded_at timestamptz not null,
  recorded_by bigint references people
);
create index on payments (enrolment_id);

create table refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments,
  enrolment_id bigint references enrolments on delete set null,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('sent', 'failed')),
  reason text not null,
  source text not null unique,
  recorded_at timestamptz not null,
  recorded_by bigint references people
);
create index on refunds (payment_id);
create index on refunds (enrolment_id);

-- Waiting lists (P48): of a full training session, or of a course for its next date.
create table waiting_entries (
  id bigint generated always as identity primary key,
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  training_session_id bigint references training_sessions,
  course_id bigint not null references courses,
  seats integer not null check (seats between 1 and 20),
  name text not null,
  email text not null,
  mailbox text not null,
  -- Set when the person bought a combo or a course that has no date yet: its place waits with it.
  enrolment_id bigint references enrolments on delete cascade,
  token_hash text not null unique,
  joined_at timestamptz not null,
  closed_at timestamptz,
  closed_why text check (closed_why in ('bought', 'declined', 'lapsed', 'left', 'staff', 'over')),
  check ((closed_at is null) = (closed_why is null))
);
create index on waiting_entries (training_session_id, joined_at, id) where closed_at is null;
create index on waiting_entries (course_id, joined_at, id) where closed_at is null;
create index on waiting_entries (mailbox);
create trigger issue_reference before insert on waiting_entries for each row execute function issue_reference();

create table waiting_offers (
  id bigint generated always as identity primary key,
  entry_id bigint not null references waiting_entries on delete cascade,
  training_session_id bigint not null references training_sessions,
  hold_id bigint not null unique references seat_holds,
  seats integer not null check (seats > 0),
  made_at timestamptz not null,
  -- Null: made by the program, in order.
  made_by bigint references people,
  mail_id uuid,
  -- From when its time runs: the mail server took the message.
  mailed_at timestamptz,
  ended_at timestamptz,
  ended text check (ended in ('accepted', 'declined', 'lapsed', 'withdrawn')),
  check ((ended_at is null) = (ended is null))
);
create unique index one_open_offer on waiting_offers (entry_id) where ended_at is null;
create index on waiting_offers (training_session_id) where ended_at is null;
