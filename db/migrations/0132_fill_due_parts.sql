-- phase: backfill
-- Fills what 0131 added, for the enrolments that owe something.
-- Whoever changes one of them waits, or has committed before it is read below: nothing is missed in between.
select count(*) from (
  select from enrolment_list where balance_cents > 0 order by enrolment_id for no key update
) as locked;
select write_due_parts(array_agg(enrolment_id order by enrolment_id)) from (
  select enrolment_id, (row_number() over (order by enrolment_id) - 1) / 1000 as batch
  from enrolment_list where balance_cents > 0
) as numbered group by batch order by batch;
