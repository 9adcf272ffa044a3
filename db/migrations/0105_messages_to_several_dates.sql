-- phase: expand
-- A message to several course dates (P79, P80) has an item for each person and date. The release before writes none of them.
alter table bulk_run_items
  -- Of a message to several dates: which one this item names. It is compared with the person's places when it is sent.
  add column training_session_id bigint,
  -- 0106 has its successor, which allows one person once for each date.
  drop constraint bulk_run_items_run_id_about_kind_about_id_key;
