-- phase: expand
-- A place given away by two corrections, first the name and then the address, is told from one person's corrections (P64).

-- Whose address it was, where the address was replaced.
alter table corrections add column person_before bigint references people on delete set null;
