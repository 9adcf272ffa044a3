-- phase: backfill
-- The triggers of 0060 copy what is in the columns: of drafts that are open, and of every course.
update enrolment_drafts set choice = choice where typed = '{}';
-- No page of a course changes by it, so it keeps the time of its last change.
alter table courses disable trigger time_of_change;
update courses set overview = overview where details = '{}';
alter table courses enable trigger time_of_change;

create or replace function modules_of_course(wanted bigint) returns jsonb language sql stable as $$
  select case
    when jsonb_typeof(details -> 'curriculum') = 'array' and jsonb_array_length(details -> 'curriculum') > 0
      then details -> 'curriculum'
    else jsonb_build_array(jsonb_build_object('module', title, 'topics', '[]'::jsonb))
  end
  from courses where id = wanted
$$;
