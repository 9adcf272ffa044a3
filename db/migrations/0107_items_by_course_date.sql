-- phase: expand
-- The page of a course date lists the messages that went to it, those to several dates among them.
-- transaction: none
create index concurrently if not exists bulk_run_items_session_idx
  on bulk_run_items (training_session_id, run_id) where training_session_id is not null;
