-- phase: expand
-- Reports count places by the day they were bought or cancelled, and entries of waiting lists by the day they were made (P85).
create index on places (placed_at); -- allowed: the table is read once, in about a second at a million rows
create index on places (cancelled_at) where cancelled_at is not null; -- allowed: the table is read once, in about a second at a million rows
create index on waiting_entries (joined_at); -- allowed: the table is read once, in about a second at a million rows
