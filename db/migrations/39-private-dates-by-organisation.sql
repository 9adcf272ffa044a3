-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists course_dates_organisation_id_idx on course_dates (organisation_id) where organisation_id is not null;
