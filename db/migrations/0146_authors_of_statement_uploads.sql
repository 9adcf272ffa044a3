-- phase: expand
-- Deleting a person asks whether a row names them as its author: without the index it would read the whole table.
-- transaction: none
create index concurrently if not exists statement_uploads_uploaded_by_idx on statement_uploads (uploaded_by);
