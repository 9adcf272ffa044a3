-- phase: expand
-- allowed: people.role is dropped in the same step, so that who is staff stands in one place; the former release takes nobody for staff without it
-- Who is staff, and as what (P68). A person may have several roles; without one nobody is staff.
create table staff_roles (
  person_id bigint not null references people on delete cascade,
  role text not null check (role in ('owner', 'admissions', 'editor', 'instructor', 'reader')),
  -- The instructor of the catalogue whose sessions the person sees in this role.
  instructor_slug text references instructors on update cascade on delete cascade,
  -- Null: granted from the command line.
  granted_by bigint references people on delete set null,
  granted_at timestamptz not null,
  primary key (person_id, role),
  check ((role = 'instructor') = (instructor_slug is not null))
);
create index on staff_roles (granted_by);
create index on staff_roles (instructor_slug);

insert into staff_roles (person_id, role, granted_at)
select id, role, updated_at from people where role is not null;

alter table people drop column role;

-- The last owner cannot leave while others are staff: nobody could grant a role any more.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where role = 'owner') then return null; end if;
  lock table staff_roles in share row exclusive mode;
  if exists (select from staff_roles) and not exists (select from staff_roles where role = 'owner') then
    raise exception 'the last owner cannot leave' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger keep_an_owner after delete on staff_roles
  referencing old table as gone for each statement execute function keep_an_owner();
