-- The hash of the content files that the last import read: a start finds out quickly whether others lie there now.
alter table import_state add column files_hash text;
