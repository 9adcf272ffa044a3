-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists enrolments_organisation_id_idx on enrolments (organisation_id) where organisation_id is not null;
