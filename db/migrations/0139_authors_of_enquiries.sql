-- phase: expand
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
-- transaction: none
create index concurrently if not exists enquiries_state_by_idx on enquiries (state_by);
