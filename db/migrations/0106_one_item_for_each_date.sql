-- phase: expand
-- A run has somebody once; a run to several course dates has them once for each date.
-- transaction: none
create unique index concurrently if not exists bulk_run_items_once_key
  on bulk_run_items (run_id, about_kind, about_id, training_session_id) nulls not distinct;
