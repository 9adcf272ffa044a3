-- phase: expand
-- New tables; the new columns and kinds of older ones are nothing that the release before reads.

-- An organisation that buys for its people (P110). The same ABN is the same organisation.
create table organisations (
  id bigint generated always as identity primary key,
  legal_name text not null,
  trading_name text,
  abn text unique check (abn ~ '^[0-9]{11}$'),
  -- In lower case. Nobody belongs to it by one of them alone.
  mail_domains text[] not null default '{}',
  address text,
  -- Where its accounts department gets copies of invoices.
  accounts_email text,
  -- Null: P39.
  terms_days smallint check (terms_days between 1 and 90),
  -- Seats that may be unpaid at a time.
  credit_seats smallint not null default 0 check (credit_seats between 0 and 500),
  discount_percent smallint not null default 0 check (discount_percent between 0 and 90),
  needs_purchase_order boolean not null default false,
  -- For staff.
  notes text,
  made_at timestamptz not null,
  -- Null: whoever accepted its first offer made it.
  made_by bigint references people
);
create index on organisations (made_by);

-- Who acts for an organisation; they proved their address. An ended row stays, so that it is known who acted when.
create table organisation_managers (
  id bigint generated always as identity primary key,
  organisation_id bigint not null references organisations on delete cascade,
  person_id bigint not null references people,
  since timestamptz not null,
  ended_at timestamptz
);
create unique index on organisation_managers (organisation_id, person_id) where ended_at is null;
create index on organisation_managers (person_id);

-- What the academy offers for one course or one combo (P111). Frozen once it is sent: a change is a further version, with
-- the same number, which ends the one before.
create table offers (
  id bigint generated always as identity primary key,
  -- OFF-00001; null until it is sent.
  number integer,
  version smallint not null default 1,
  -- The version that this one ends once it is sent.
  replaces bigint references offers on delete set null,
  state text not null default 'draft' check (state in ('draft', 'sent', 'accepted', 'declined', 'over', 'replaced')),
  -- To whom.
  name text not null,
  email text not null,
  -- The address in lower case without what is behind a plus sign: whom the limits count.
  mailbox text not null,
  organisation text,
  abn text check (abn ~ '^[0-9]{11}$'),
  address text,
  organisation_id bigint references organisations on delete set null,
  person_id bigint references people,
  combo_id bigint references combos,
  people smallint not null check (people between 1 and 40),
  -- Of staff, off every price; the combo's own saving is in the lines.
  discount_percent smallint not null default 0 check (discount_percent between 0 and 90),
  -- Of staff to the customer.
  words text,
  -- The last day on which it can be accepted.
  last_day date not null,
  -- How long seats are held, of staff: not at all, two days or until the last day. The holds themselves are of the lines.
  hold text not null default 'no' check (hold in ('no', 'two-days', 'last-day')),
  total_cents integer not null check (total_cents >= 0),
  -- The terms it was made under.
  terms_id integer not null references terms_versions,
  -- Everything its PDF shows, from when it is sent: the same facts give the same bytes.
  facts jsonb,
  made_at timestamptz not null,
  -- Null: the customer made it.
  made_by bigint references people,
  -- The checkout from which it was made, once for the same choice (P25).
  draft_id bigint references enrolment_drafts on delete set null,
  sent_at timestamptz,
  -- When its customer was told that it is over soon.
  reminded_at timestamptz,
  -- When it was accepted, declined, over or replaced.
  ended_at timestamptz,
  -- Words with which it was declined.
  answer text,
  -- Goes with it: an accepted offer is kept as long as its enrolment names somebody.
  enrolment_id bigint unique references enrolments,
  unique (number, version),
  check ((number is null) = (state = 'draft')),
  check ((state = 'draft') = (sent_at is null)),
  check ((state = 'draft') = (facts is null)),
  check ((state in ('draft', 'sent')) = (ended_at is null)),
  check ((state = 'accepted') = (enrolment_id is not null))
);
create index on offers (state, last_day) where state in ('draft', 'sent');
create index on offers (made_at, id);
create index on offers (mailbox);
create index on offers (replaces) where replaces is not null;
create index on offers (organisation_id) where organisation_id is not null;
create index on offers (person_id);
create index on offers (combo_id) where combo_id is not null;
create index on offers (made_by) where made_by is not null;
create index on offers (draft_id) where draft_id is not null;
create index on offers (terms_id);
create unique index one_open_version on offers (number) where state in ('sent', 'accepted');

-- One course of an offer, as everybody of it takes it.
create table offer_lines (
  offer_id bigint not null references offers on delete cascade,
  position smallint not null,
  course_id bigint not null references courses,
  way text not null check (way in ('date', 'guided', 'next-date')),
  course_date_id bigint references course_dates,
  guided_from date check (extract(isodow from guided_from) = 1),
  -- Days, hours and place of its date when it was sent (P31): once they differ, it cannot be accepted.
  shown text,
  price_id bigint references prices,
  -- Of one person, GST included, as of a place.
  price_cents integer not null check (price_cents >= 0),
  discount_cents integer not null default 0,
  discount text,
  -- Its seats, while they are held.
  hold_id bigint references seat_holds,
  primary key (offer_id, position),
  check (discount_cents between 0 and price_cents),
  check ((way = 'date') = (course_date_id is not null)),
  check ((way = 'guided') = (guided_from is not null))
);
create index on offer_lines (course_id);
create index on offer_lines (course_date_id) where course_date_id is not null;
create index on offer_lines (price_id) where price_id is not null;
create unique index on offer_lines (hold_id) where hold_id is not null;

create trigger set_person before insert or update of email on offers
  for each row execute function set_person();
create trigger person_words_changed after insert or delete or update of name, email, person_id
  on offers for each row execute function person_words_changed();

-- Once sent, only what becomes of an offer changes.
create function refuse_change_of_offer() returns trigger language plpgsql as $$
begin
  raise exception 'offer % was sent and stays as it is', old.id;
end $$;

create trigger frozen_once_sent before update on offers for each row
  when (old.state <> 'draft' and (
    (old.number, old.version, old.people, old.discount_percent, old.total_cents, old.terms_id, old.last_day, old.facts)
    is distinct from
    (new.number, new.version, new.people, new.discount_percent, new.total_cents, new.terms_id, new.last_day, new.facts)
    or new.state = 'draft' or (old.state <> 'sent' and old.state <> new.state)))
  execute function refuse_change_of_offer();

-- Its private link (P32), and the code by which whoever accepts it proves their address.
alter table private_links add column offer_id bigint references offers on delete cascade;
alter table private_links drop constraint private_links_check;
alter table private_links add constraint private_links_check check (num_nonnulls(
  booking_id, conversation_id, waiting_entry_id, enrolment_draft_id, enrolment_id, offer_id) = 1) not valid;
alter table email_codes add column offer_id bigint references offers on delete cascade;
alter table email_codes alter column draft_id drop not null;
alter table email_codes add constraint of_draft_or_offer check (num_nonnulls(draft_id, offer_id) = 1) not valid;

-- Numbered as documents are.
alter table document_numbers drop constraint document_numbers_kind_check;
alter table document_numbers add constraint document_numbers_kind_check
  check (kind in ('tax-invoice', 'adjustment-note', 'offer')) not valid;
insert into document_numbers values ('offer', 0);
