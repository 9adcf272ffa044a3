-- phase: expand
-- When an entry's link was last mailed: the days to confirm it count from then, as the mail says.
alter table waiting_entries add column told_at timestamptz;
