-- phase: expand
-- Finds the dates that are held on some days: by first or last day alone, all past or all coming dates are read (P87).
-- transaction: none
create index concurrently if not exists training_sessions_days_idx on training_sessions using gist (daterange(starts_on, ends_on, '[]'));
