-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists email_codes_enrolment_id_idx on email_codes (enrolment_id)
  where enrolment_id is not null;
