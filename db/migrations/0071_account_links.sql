-- phase: expand
-- Lets an account lead to the private pages of what its player bought and attends (P56), for as long as they are signed in.

alter table private_links add column sign_in_id bigint references sign_ins on delete cascade;
create index on private_links (sign_in_id) where sign_in_id is not null; -- allowed: no link has the new column yet, so the index is empty and is built by reading the table once
