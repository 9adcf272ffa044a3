-- Lists of payments for staff: those without an enrolment, and the latest.
create index on payments (id) where enrolment_id is null;
create index on payments (recorded_at);
