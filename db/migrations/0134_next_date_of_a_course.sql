-- phase: expand
-- The first page asks for the next date of each course: without the index it reads all dates to come (P87).
-- transaction: none
create index concurrently if not exists training_sessions_course_starts_idx on training_sessions (course_id, starts_on);
