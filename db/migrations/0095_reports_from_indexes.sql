-- phase: expand
-- Reports count enrolments and places of a period from indexes alone, without reading the rows (P85).
create index on enrolments (placed_at) where placed_by is not null; -- allowed: the table is read once, in about a second at a million rows
create index on places (placed_at) include (course_id) where transferred_from is null; -- allowed: the table is read once, in about a second at a million rows
-- Suggestions look for a name among what is owed alone, which stays few however many enrolments there are (P83).
create index on enrolment_index using gin (words) with (fastupdate = off) where balance_cents > 0; -- allowed: the table is read once, and few rows are in it
