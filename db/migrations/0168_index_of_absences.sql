-- phase: expand
-- transaction: none
-- The next file drops the unique index by which absences of a place are found.
create index concurrently if not exists absence_notices_of_place on absence_notices (place_id, told_on);
