-- phase: backfill
-- Writes down again what 0155 changed.
select list_enrolments(array_agg(distinct enrolment_id)) from places
where left_cancelled_session and cancelled_why <> 'transfer'
having count(*) > 0;
