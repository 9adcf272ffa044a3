-- phase: expand
-- Courses of a combo that somebody attended stay with them when the others are given to another person (P64). By this
-- column the courses still belong together where prices and refunds are worked out (P40).
alter table attendees add column parted_from bigint references attendees on delete set null;
