-- phase: expand
-- Deleting an attendee looks for those who parted from them.
-- transaction: none
create index concurrently if not exists attendees_parted_from on attendees (parted_from) where parted_from is not null;
