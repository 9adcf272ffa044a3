-- phase: expand
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
-- transaction: none
create index concurrently if not exists exercise_marks_person_id_idx on exercise_marks (person_id);
