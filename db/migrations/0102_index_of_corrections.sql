-- phase: expand
-- Deleting a person sets the column to null: without the index it would read every correction.
-- transaction: none
create index concurrently if not exists corrections_person_before_idx on corrections (person_before);
