-- phase: expand
-- transaction: none
-- Enrolments that were paid in part or too much: the payments that staff look at are theirs (P39).
create index concurrently if not exists enrolment_list_uneven on enrolment_list (enrolment_id)
  where balance_cents <> 0 and paid_by <> '{}';
