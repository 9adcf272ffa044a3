-- phase: expand
-- transaction: none
-- The first page for staff asks which courses state dated facts: without it every course's details are unpacked.
create index concurrently if not exists courses_with_facts on courses (title)
  where retired_at is null and details ? 'facts';
