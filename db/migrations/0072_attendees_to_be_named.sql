-- phase: expand
-- The first page for staff lists who is still to be named; few are, of all that ever attended.
create index attendees_to_be_named on attendees (id) where name is null; -- allowed: it holds few rows and is built by reading the table once
