-- `courses` rises with changes to courses and their dependent rows, `seats` with changes to the number of seats left,
-- `catalogue` with changes to everything else that public pages read.
create table snapshot_versions (
  part text primary key check (part in ('catalogue', 'courses', 'seats')),
  version bigint not null
);

insert into snapshot_versions (part, version) values ('catalogue', 0), ('courses', 0), ('seats', 0);

-- The argument is the part. Every process listens for the notification, and looks at the versions besides.
create function snapshot_part_changed() returns trigger language plpgsql as $$
begin
  update snapshot_versions set version = version + 1 where part = tg_argv[0];
  notify snapshot;
  return null;
end $$;

-- The catalogue, written from the revisions of its records. Rows are retired, never deleted, because enrolments and
-- invoices will point at them.
create table categories (
  slug text primary key,
  name text not null,
  icon text not null,
  -- 1 to 14 for the options of the specification's filter, in its order; null for "More categories" (P9).
  filter_position integer,
  position integer not null,
  retired_at timestamptz
);

create table tracks (
  slug text primary key,
  name text not null,
  icon text not null,
  description text not null,
  position integer not null,
  retired_at timestamptz
);

create table instructors (
  slug text primary key,
  name text not null,
  expertise text not null,
  experience text not null,
  biography text not null,
  position integer not null,
  retired_at timestamptz
);

-- Who is staff, and as what (P68). A person may have several roles; without one nobody is staff.
create table staff_roles (
  person_id bigint not null references people on delete cascade,
  role text not null check (role in ('owner', 'admissions', 'editor', 'instructor', 'reader')),
  -- The instructor of the catalogue whose course dates the person sees in this role.
  instructor_slug text references instructors (slug) on update cascade on delete cascade,
  -- Null: granted from the command line.
  granted_by bigint references people on delete set null,
  granted_at timestamptz not null,
  check ((role = 'instructor') = (instructor_slug is not null)),
  primary key (person_id, role)
);
create index on staff_roles (granted_by);
create index on staff_roles (instructor_slug);

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

create table certification_groups (
  slug text primary key,
  title text not null,
  description text not null,
  position integer not null,
  retired_at timestamptz
);

create sequence course_revision;

create table courses (
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  category_slug text not null references categories (slug),
  level text not null check (level in ('Beginner', 'Intermediate', 'Advanced', 'Expert')),
  price_cents integer not null check (price_cents > 0),
  original_price_cents integer,
  hours integer not null check (hours > 0),
  learners integer not null check (learners >= 0),
  -- Null until people have rated the course.
  rating numeric(2,1) check (rating between 1 and 5),
  published_on date not null,
  instructor_slug text not null references instructors (slug),
  description text not null,
  -- Rises with every change of the row; whoever keeps a copy compares it.
  revision bigint not null default 0,
  retired_at timestamptz,
  -- Its former slugs (P3), which lead to it.
  aliases text[] not null default '{}',
  tracks text[] not null default '{}',
  -- Codes of the document 'exams'.
  exams text[] not null default '{}',
  -- Slugs of the courses that it builds on, and of those that come after it.
  needs text[] not null default '{}',
  leads_to text[] not null default '{}',
  id bigint generated always as identity primary key,
  changed_at timestamptz not null default now(),
  -- P38: whether a course can be taken guided.
  guided boolean not null default false,
  -- The long parts, which only the page of the course shows.
  details jsonb not null default '{}',
  check (original_price_cents > price_cents)
);
-- The first page for staff asks which courses state dated facts: without it every course's details are unpacked.
create index courses_with_facts on courses (title) where retired_at is null and (details ? 'facts');

create function completion_of_course(wanted bigint, way text) returns jsonb language sql stable as $$
  select jsonb_build_object('hours', hours, 'level', level) || case
    when way = 'guided' then '{"exercises": "all"}'::jsonb
    else jsonb_build_object('attendance', coalesce((details -> 'completion' ->> 'attendance')::integer, 80))
  end
  from courses where id = wanted
$$;

-- Guided study (P38, P40): the modules of a place are those its course had when it was placed, so that a later change of
-- the course neither raises nor lowers a refund; and which of them were opened.
create function modules_of_course(wanted bigint) returns jsonb language sql stable as $$
  select case
    when jsonb_typeof(details -> 'curriculum') = 'array' and jsonb_array_length(details -> 'curriculum') > 0
      then details -> 'curriculum'
    else jsonb_build_array(jsonb_build_object('module', title, 'topics', '[]'::jsonb))
  end
  from courses where id = wanted
$$;

create function count_course_change() returns trigger language plpgsql as $$
begin
  new.revision := nextval('course_revision');
  new.changed_at := now();
  return new;
end $$;

create function keep_retirement() returns trigger language plpgsql as $$
declare
  -- The academy's clock, as for prices; it may run apart from the database's.
  stamp jsonb := nullif(current_setting('academy.price_stamp', true), '')::jsonb;
  since timestamptz;
begin
  if new.retired_at is null then
    update course_retirements set until_at = greatest(from_at, coalesce((stamp->>'at')::timestamptz, now()))
      where course_id = new.id and until_at is null;
  else
    select max(until_at) into since from course_retirements where course_id = new.id;
    insert into course_retirements (course_id, from_at) values (new.id, greatest(new.retired_at, since))
      on conflict (course_id) where until_at is null do nothing;
  end if;
  return null;
end $$;

create trigger count_course_change before insert or update on courses
  for each row execute function count_course_change();
create trigger snapshot_changed after insert or update or delete or truncate on courses
  for each statement execute function snapshot_part_changed('courses');
create trigger keep_retirement after update of retired_at on courses
  for each row when ((old.retired_at is null) <> (new.retired_at is null)) execute function keep_retirement();

-- Visits are counted by the day and without who they are from: pages read, checkouts begun, searches in vain (P85).
create table course_days (
  day date not null,
  course_id bigint not null references courses on delete cascade,
  -- How often the course's page was read, and a checkout with the course begun.
  reads integer not null default 0,
  begun integer not null default 0,
  primary key (day, course_id)
);
create index on course_days (course_id);

-- When a course was retired and when it was offered again. While nobody can buy it, no price is charged (P47).
create table course_retirements (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  from_at timestamptz not null,
  until_at timestamptz,
  check (until_at >= from_at)
);
create unique index on course_retirements (course_id) where until_at is null;
create index on course_retirements (course_id);

-- The reading and the exercise of a module of a course, in Markdown.
create table course_modules (
  course_id bigint not null references courses,
  -- Its number in the curriculum, counted from 1.
  number smallint not null check (number >= 1),
  title text not null,
  body text not null,
  retired_at timestamptz,
  primary key (course_id, number)
);


-- Price, hours and level of a certification are those of the course that prepares for it (P1).
create table certifications (
  slug text primary key,
  group_slug text not null references certification_groups (slug),
  name text not null,
  provider text not null,
  description text not null,
  pass_rate integer not null check (pass_rate between 0 and 100),
  job_roles text[] not null,
  overview text not null,
  exam jsonb not null,
  domains text[] not null,
  suits text[] not null,
  position integer not null,
  retired_at timestamptz,
  course_id bigint not null references courses,
  -- A pass rate says whose it is (P6); null for one whose source nobody recorded.
  pass_rate_source text,
  -- For the sitemap.
  changed_at timestamptz not null default now()
);
create index on certifications (course_id);

-- Combos: a table of their own, with their courses (P17).
create table combos (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  description text not null,
  discount_percent integer not null check (discount_percent between 1 and 100),
  position integer not null,
  retired_at timestamptz,
  -- Its former slugs (P3).
  aliases text[] not null default '{}'
);

create table combo_courses (
  combo_id bigint not null references combos on delete cascade,
  course_id bigint not null references courses,
  position integer not null,
  primary key (combo_id, course_id)
);
create index on combo_courses (course_id);

-- Every promotion after the first is a record of its own, and its end is never moved (P47). The first one is that of the
-- content: it ends a fixed time after that filled the database (P16).
create table promotions (
  id bigint generated always as identity primary key,
  subject text not null check (subject <> ''),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  person_id bigint not null references people,
  check (ends_at > starts_at),
  constraint one_promotion_at_a_time exclude using gist (tstzrange(starts_at, ends_at) with &&)
);
create index on promotions (person_id);

create trigger only_added_to before update or delete or truncate on promotions
  for each statement execute function refuse_change();
create trigger version_changed after insert on promotions
  for each statement execute function snapshot_part_changed('catalogue');

-- Prices have a memory (P47, P76): a row a period. `courses` keeps what is asked now; whoever writes it there, the ledger
-- follows by a trigger, and one that is not what `courses` has is refused.
create table prices (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  amount_cents integer not null check (amount_cents > 0),
  -- Struck through beside it.
  original_cents integer,
  from_at timestamptz not null,
  -- Null: it is asked now.
  until_at timestamptz,
  -- As of `content_revisions`; `found`: nobody said who changed it.
  author text not null check (author in ('files', 'person', 'program', 'found')),
  person_id bigint references people,
  -- What shows that the original price was charged; `the brief`: only its source is known.
  proof text,
  note text,
  -- When the owner confirmed the original price, and who that was; `proof` then is what shows it.
  proved_at timestamptz,
  proved_by bigint references people,
  check (original_cents > amount_cents),
  check (until_at >= from_at),
  check ((author = 'person') = (person_id is not null)),
  constraint one_price_at_a_time exclude using gist (course_id with =, tstzrange(from_at, until_at) with &&)
);
create unique index on prices (course_id) where until_at is null;
create index on prices (person_id) where person_id is not null;
create index on prices (proved_by) where proved_by is not null;

-- When a course was charged a price, without the times in which it was retired.
create function charged_times(course bigint, cents integer) returns tstzmultirange language sql stable as $$
  select coalesce((select range_agg(tstzrange(from_at, until_at)) from prices
      where course_id = course and amount_cents = cents), '{}')
    - coalesce((select range_agg(tstzrange(from_at, until_at)) from course_retirements
      where course_id = course), '{}')
$$;

-- Whether a course was charged a price for at least four weeks within the six months before an instant. The day on which a
-- time ends counts for what comes after it.
create function was_charged(course bigint, cents integer, at timestamptz) returns boolean
language sql stable as $$
  select coalesce(sum((upper(part) at time zone 'Australia/Brisbane')::date
    - (lower(part) at time zone 'Australia/Brisbane')::date), 0) >= 28
  from unnest(charged_times(course, cents) * tstzmultirange(tstzrange(at - interval '6 months', at))) part
$$;

create function check_price() returns trigger language plpgsql as $$
begin
  if not exists (
    select from courses join prices on course_id = courses.id
    where courses.id = new.course_id and until_at is null and amount_cents = price_cents
      and original_cents is not distinct from original_price_cents
  ) then
    raise exception 'the open price of course % is not the one that courses has', new.course_id;
  end if;
  return null;
end $$;

-- What proves a price is read with its course.
create function price_proved() returns trigger language plpgsql as $$
begin
  update courses set revision = revision where id = new.course_id;
  return null;
end $$;

-- A period ends once and begins once; what proves it may become known later.
create trigger only_added_to before delete or truncate on prices
  for each statement execute function refuse_change();
create trigger only_closed before update on prices for each row when (
  old.until_at is not null and old.until_at is distinct from new.until_at
  or (old.id, old.course_id, old.amount_cents, old.original_cents, old.from_at, old.author, old.person_id)
    is distinct from (new.id, new.course_id, new.amount_cents, new.original_cents, new.from_at, new.author, new.person_id)
) execute function refuse_change();
create constraint trigger check_price after insert or update on prices deferrable initially deferred
  for each row execute function check_price();
create trigger price_proved after update of proof on prices
  for each row when (old.proof is distinct from new.proof) execute function price_proved();

-- Ends the price before and begins this one. What proves the same original price goes on proving it; otherwise the ledger
-- does.
create function keep_price() returns trigger language plpgsql as $$
declare
  stamp jsonb := coalesce(nullif(current_setting('academy.price_stamp', true), ''), '{"author": "found"}');
  ended prices;
  changed_at timestamptz;
begin
  if tg_op = 'UPDATE'
    and (old.price_cents, old.original_price_cents) is not distinct from (new.price_cents, new.original_price_cents)
  then
    return null;
  end if;
  select * into ended from prices where course_id = new.id and until_at is null;
  changed_at := greatest(coalesce((stamp->>'at')::timestamptz, now()), ended.from_at);
  update prices set until_at = changed_at where id = ended.id;
  insert into prices (course_id, amount_cents, original_cents, from_at, author, person_id, note, proof, proved_at, proved_by)
    select new.id, new.price_cents, new.original_price_cents, changed_at, stamp->>'author', (stamp->>'person')::bigint,
      stamp->>'note',
      case
        when new.original_price_cents is null then null
        when stamp->>'author' = 'files' then 'the brief'
        when same and ended.proof not in ('the brief', 'the ledger') then ended.proof
        when was_charged(new.id, new.original_price_cents, changed_at) then 'the ledger'
        when same and ended.proof = 'the brief' then ended.proof
      end,
      case when same then ended.proved_at end, case when same then ended.proved_by end
    from (select ended.original_cents = new.original_price_cents as same) compared;
  return null;
end $$;

create trigger keep_price after insert or update of price_cents, original_price_cents on courses
  for each row execute function keep_price();

-- Changes of prices to come. Each is made once, by a job, at its instant or as soon after it as the program runs.
create table planned_prices (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  amount_cents integer not null check (amount_cents > 0),
  original_cents integer,
  from_at timestamptz not null,
  person_id bigint not null references people,
  note text,
  made_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('made', 'withdrawn', 'refused')),
  -- Why it was refused, in words.
  fault text,
  check (original_cents > amount_cents),
  check ((ended_at is null) = (outcome is null)),
  check ((fault is null) or outcome = 'refused')
);
create unique index on planned_prices (course_id, from_at) where ended_at is null;
create index on planned_prices (from_at) where ended_at is null;
create index on planned_prices (person_id);
