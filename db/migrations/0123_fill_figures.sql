-- phase: backfill
-- Fills what 0121 and 0122 added, for the dates and the ledger of before.
alter table session_seats disable trigger counted_by_ledger;
update session_seats set lacking_on = lacking_on(its, sold) from training_sessions its
  where its.id = training_session_id and lacking_on(its, sold) is not null;
alter table session_seats enable trigger counted_by_ledger;
select fill_figures();
