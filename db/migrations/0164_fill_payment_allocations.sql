-- phase: backfill
-- What is paid of each debt as it was divided until now, of enrolments with several.
select allocate_payments(enrolment_id) from (
  select enrolment_id from tax_invoices where enrolment_id is not null and facts ->> 'replaces' is null
  group by enrolment_id having count(*) > 1
) as several;
