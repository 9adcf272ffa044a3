-- phase: expand
-- New columns and a new table are nothing that the release before reads.

-- The organisation to which an enrolment belongs (P110): its managers see and change it. An ABN alone gives it to nobody.
alter table enrolments add column organisation_id bigint references organisations;

-- Enrolments that their buyers want an organisation to take, until one of its managers answers.
create table organisation_asks (
  enrolment_id bigint primary key references enrolments on delete cascade,
  organisation_id bigint not null references organisations on delete cascade,
  asked_at timestamptz not null
);
create index on organisation_asks (organisation_id);

-- What was done in the name of an organisation, for all of its managers to read (P116).
create table organisation_acts (
  id bigint generated always as identity primary key,
  organisation_id bigint not null references organisations on delete cascade,
  -- Null: staff, or somebody who was erased.
  person_id bigint references people,
  act text not null,
  -- What it was done to.
  enrolment_id bigint references enrolments on delete cascade,
  manager_id bigint references organisation_managers on delete cascade,
  at timestamptz not null
);
create index on organisation_acts (organisation_id, id);
create index on organisation_acts (person_id);
create index on organisation_acts (enrolment_id);
create index on organisation_acts (manager_id);

-- Two people who turn out to be one (P50) may both have managed the same: the row that comes over is ended.
create function one_manager_of_a_person() returns trigger language plpgsql as $$
begin
  if new.ended_at is null and exists (select from organisation_managers other
      where other.organisation_id = new.organisation_id and other.person_id = new.person_id and other.ended_at is null) then
    new.ended_at := new.since;
  end if;
  return new;
end $$;
create trigger one_manager_of_a_person before update of person_id on organisation_managers
  for each row when (old.person_id <> new.person_id) execute function one_manager_of_a_person();
