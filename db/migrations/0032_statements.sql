-- Bank statements: what tells a line from every other, lines that took money back, uploads that wait to be recorded, a
-- payment divided among enrolments; and numbers of documents that were skipped after a restore.

-- A payment that was divided is several rows: the one that arrived, and parts of it. Together they are what arrived.
alter table payments
  add column part_of bigint references payments,
  -- Of a payment with parts, what arrived; null while it has none.
  add column arrived_cents integer check (arrived_cents > 0),
  add check (part_of is null or arrived_cents is null);
create index on payments (part_of) where part_of is not null;
create index on payments (received_on) where method = 'bank';

create function payment_parts_add_up() returns trigger language plpgsql as $$
declare
  whole bigint := coalesce(new.part_of, new.id, old.part_of, old.id);
begin
  if exists (select from payments root where root.id = whole and coalesce(arrived_cents, amount_cents) <>
      root.amount_cents + (select coalesce(sum(amount_cents), 0) from payments part where part.part_of = whole)) then
    raise exception 'the parts of payment % do not add up to what arrived', whole using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payment_part_made after insert on payments deferrable initially deferred
  for each row when (new.part_of is not null) execute function payment_parts_add_up();
create constraint trigger payment_part_removed after delete on payments deferrable initially deferred
  for each row when (old.part_of is not null) execute function payment_parts_add_up();
create constraint trigger payment_part_changed after update on payments deferrable initially deferred for each row
  when (coalesce(old.part_of, new.part_of, old.arrived_cents, new.arrived_cents) is not null
    and (old.amount_cents, old.part_of, old.arrived_cents) is distinct from (new.amount_cents, new.part_of, new.arrived_cents))
  execute function payment_parts_add_up();

-- Lines of bank statements that were recorded. Money that came in has a payment; money that went out and names an
-- enrolment waits for staff. Payments recorded before this table have the line's key as their source.
create table bank_lines (
  id bigint generated always as identity primary key,
  day date not null,
  amount_cents integer not null check (amount_cents <> 0),
  -- The running balance after it, when a file had one.
  balance_cents bigint,
  -- Hashes of the other cells of the line, in their order.
  cells text[] not null,
  payment_id bigint references payments on delete cascade,
  -- Of money that went out.
  words text,
  enrolment_id bigint references enrolments on delete set null,
  state text check (state in ('open', 'taken-back', 'dismissed')),
  recorded_at timestamptz not null,
  check ((amount_cents > 0) = (payment_id is not null)),
  check ((amount_cents < 0) = (state is not null))
);
create index on bank_lines (day, amount_cents);
create index on bank_lines (payment_id);
create index on bank_lines (enrolment_id) where enrolment_id is not null;
create index on bank_lines (id) where state = 'open';

-- Files between their preview and their recording, as they came; erased when recorded, or after a day.
create table statement_uploads (
  key uuid primary key,
  bytes bytea not null,
  uploaded_at timestamptz not null,
  uploaded_by bigint not null references people
);
create index on statement_uploads (uploaded_at);

-- Numbers of documents that were given out before a restore, and belong to no document any more.
create table skipped_numbers (
  kind text not null references document_numbers,
  first integer not null,
  last integer not null,
  skipped_at timestamptz not null,
  primary key (kind, first),
  check (first <= last)
);

-- Names this database, also after a restore: the file of numbers given out is about no other.
create table database_identity (
  single boolean primary key default true check (single),
  id uuid not null default gen_random_uuid()
);
insert into database_identity default values;
