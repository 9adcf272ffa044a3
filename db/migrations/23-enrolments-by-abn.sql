-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists enrolments_abn_idx on enrolments (abn) where abn is not null;
