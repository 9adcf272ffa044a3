-- The catalogue: what content/ describes. Rows that leave content/ are retired, never deleted, because enrolments
-- and invoices will point at them.

create table categories (
  slug text primary key,
  name text not null,
  treasure text not null,
  -- 1 to 14 for the options of the specification's filter, in its order; null for "More categories" (P9).
  filter_position integer,
  position integer not null,
  retired_at timestamptz
);

create table tracks (
  slug text primary key,
  name text not null,
  treasure text not null,
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

create table courses (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null,
  category_slug text not null references categories,
  level text not null check (level in ('Beginner', 'Intermediate', 'Advanced', 'Expert')),
  price_cents integer not null check (price_cents > 0),
  original_price_cents integer check (original_price_cents > price_cents),
  hours integer not null check (hours > 0),
  learners integer not null check (learners >= 0),
  rating numeric(2, 1) not null check (rating between 0 and 5),
  published_on date not null,
  instructor_slug text not null references instructors,
  description text not null,
  overview text not null,
  objectives text[] not null,
  curriculum jsonb not null,
  prerequisites text[] not null,
  certification text not null,
  -- Rises with every change of the row; whoever keeps a copy compares it.
  revision bigint not null default 0,
  retired_at timestamptz
);

create table course_aliases (
  alias text primary key,
  course_slug text not null references courses on delete cascade,
  position integer not null
);

create table course_tracks (
  course_slug text not null references courses on delete cascade,
  track_slug text not null references tracks,
  position integer not null,
  primary key (course_slug, track_slug)
);

create table certification_groups (
  slug text primary key,
  title text not null,
  description text not null,
  position integer not null,
  retired_at timestamptz
);

-- Price, hours and level of a certification are those of the course that prepares for it (P1).
create table certifications (
  slug text primary key,
  group_slug text not null references certification_groups,
  course_slug text not null references courses,
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
  retired_at timestamptz
);

-- Wall-clock time in an IANA zone (P14). A session's price is its course's (P1).
create table training_sessions (
  slug text primary key,
  course_slug text not null references courses,
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  starts_at time not null,
  ends_at time not null check (ends_at > starts_at),
  zone text not null,
  mode text not null check (mode in ('Online', 'Online/In-Person', 'In-Person Sydney', 'In-Person Melbourne')),
  instructor_slug text not null references instructors,
  capacity integer not null check (capacity > 0),
  retired_at timestamptz
);

-- Content edited and read as a whole: site settings, hero slides, partners, combos, the promotion, the claims
-- register (P6), and the texts.
create table site_documents (
  name text primary key,
  body jsonb not null
);

-- One row. The version moves with every change to the tables above; readers hold a snapshot of one version.
create table catalogue_state (
  id integer primary key default 1 check (id = 1),
  version bigint not null default 0,
  -- The day content/ is written as of, and by how many weeks the first import moved its dates (P13).
  as_of date,
  shift_weeks integer,
  -- The sample promotion runs from the first import on (P16).
  first_imported_at timestamptz,
  imported_at timestamptz
);
insert into catalogue_state default values;

create sequence course_revision;

create function catalogue_course_revision() returns trigger language plpgsql as $$
begin
  new.revision := nextval('course_revision');
  return new;
end $$;

create trigger course_revision before insert or update on courses
  for each row execute function catalogue_course_revision();

create function catalogue_changed() returns trigger language plpgsql as $$
begin
  update catalogue_state set version = version + 1;
  notify catalogue;
  return null;
end $$;

do $$
declare name text;
begin
  foreach name in array array[
    'categories', 'tracks', 'instructors', 'courses', 'course_aliases', 'course_tracks',
    'certification_groups', 'certifications', 'training_sessions', 'site_documents'
  ] loop
    execute format(
      'create trigger catalogue_changed after insert or update or delete or truncate on %I
         for each statement execute function catalogue_changed()', name);
  end loop;
end $$;
