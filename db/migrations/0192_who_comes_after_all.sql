-- phase: expand
-- P56: a message without days says that its sender comes after all. The newest message of an attendee is the one that
-- counts.
alter table absence_notices
  drop constraint absence_notices_days_check,
  add constraint absence_notices_days_check check (cardinality(days) <= 60) not valid;
