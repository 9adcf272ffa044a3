-- phase: expand
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
-- transaction: none
create index concurrently if not exists conversations_state_by_idx on conversations (state_by);
