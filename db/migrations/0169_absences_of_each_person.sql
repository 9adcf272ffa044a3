-- phase: expand
-- Each person who has a place on a day can say once that they cannot come, so a place may have two of one day (P56). The
-- program looks under a lock of the attendee.
alter table absence_notices drop constraint if exists absence_notices_place_id_told_on_key;
