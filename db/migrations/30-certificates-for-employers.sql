-- phase: expand
-- A new table that the release before does not read.

-- The holder of a place's certificate lets the organisation of its enrolment see it (P116), also when it is issued again.
create table certificate_consents (
  place_id bigint primary key references places,
  given_at timestamptz not null
);
