-- phase: expand
-- Every promotion after the first is a record of its own, and its end is never moved (P47). The first one is that of the
-- content: it ends a fixed time after the first import.
create table promotions (
  id bigint generated always as identity primary key,
  subject text not null check (subject <> ''),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  person_id bigint not null references people,
  constraint one_promotion_at_a_time exclude using gist (tstzrange(starts_at, ends_at) with &&)
);
create index on promotions (person_id);
create trigger only_added_to before update or delete or truncate on promotions
  for each statement execute function refuse_change();
create trigger version_changed after insert on promotions
  for each statement execute function snapshot_part_changed('catalogue');
