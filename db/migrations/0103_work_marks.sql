-- phase: expand
-- Work that completes a course (P61) is handed in before certificates are issued: who teaches says then that it was accepted.
create table work_marks (
  id bigint generated always as identity primary key,
  place_id bigint not null references places,
  -- False takes an acceptance back. The last mark counts.
  accepted boolean not null,
  person_id bigint not null references people,
  marked_at timestamptz not null
);
create index on work_marks (place_id, id);

create trigger only_added_to before update or delete or truncate on work_marks
  for each statement execute function refuse_change();
