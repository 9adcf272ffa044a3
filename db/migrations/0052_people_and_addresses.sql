-- phase: expand
-- The former release goes on: it neither reads nor writes what is new, and triggers fill it in for what it stores.
-- One row of `people` is one human, staff or not (P50).

-- Nobody knows the name of others than staff before they say it. Whoever was erased has no address.
-- allowed: the table holds the academy's staff only, a handful of rows
alter table people
  alter column name drop not null,
  alter column email drop not null,
  alter column email_verified set default false,
  alter column created_at set default now(),
  alter column updated_at set default now(),
  add check (role is null or (name is not null and email is not null));

-- The addresses of a person. One that nobody proved belongs to a person of its own; whoever adds another to a person has
-- proved both. The person's main address is `people.email`.
create table person_emails (
  email text primary key check (email = lower(email)),
  person_id bigint not null references people on delete cascade,
  -- When a code or link that was mailed there came back.
  verified_at timestamptz,
  unique (person_id, email)
);
insert into person_emails (email, person_id, verified_at)
  select email, id, case when email_verified then created_at end from people;
-- At the end of the transaction, because each of the two rows names the other.
-- allowed: the table holds the academy's staff only, a handful of rows
alter table people add constraint main_address_is_own
  foreign key (id, email) references person_emails (person_id, email) deferrable initially deferred;

create function keep_main_address() returns trigger language plpgsql as $$
begin
  insert into person_emails (email, person_id, verified_at)
    values (new.email, new.id, case when new.email_verified then now() end)
    on conflict (email) do nothing;
  return null;
end $$;
create trigger keep_main_address after insert or update of email on people
  for each row when (new.email is not null) execute function keep_main_address();

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

create function set_person() returns trigger language plpgsql as $$
begin
  new.person_id := person_of(new.email);
  return new;
end $$;
create function set_person_of_consent() returns trigger language plpgsql as $$
begin
  new.person_id := person_of(new.address);
  return new;
end $$;

alter table enrolments add column person_id bigint references people;
alter table attendees add column person_id bigint references people;
alter table bookings add column person_id bigint references people;
alter table conversations add column person_id bigint references people;
alter table enquiries add column person_id bigint references people;
alter table waiting_entries add column person_id bigint references people;
alter table marketing_consents add column person_id bigint references people;

-- Their names come after those of the triggers that skip a row.
create trigger set_person before insert or update of email on enrolments
  for each row execute function set_person();
create trigger set_person before insert or update of email on attendees
  for each row execute function set_person();
create trigger set_person before insert or update of email on bookings
  for each row execute function set_person();
create trigger set_person before insert or update of email on conversations
  for each row execute function set_person();
create trigger set_person before insert or update of email on enquiries
  for each row execute function set_person();
create trigger set_person before insert or update of email on waiting_entries
  for each row execute function set_person();
create trigger set_person before insert or update of address on marketing_consents
  for each row execute function set_person_of_consent();

-- Tables from which something was erased: their files hold it until they are written anew.
create table tables_to_rewrite (
  name text primary key,
  since timestamptz not null default now(),
  -- Rises with each erasing, so that one during the rewriting is not missed.
  times integer not null default 1
);
