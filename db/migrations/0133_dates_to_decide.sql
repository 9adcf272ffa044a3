-- phase: expand
-- The first page asks which dates staff have to decide about: without the index it reads every date there ever was (P87).
-- transaction: none
create index concurrently if not exists training_sessions_to_decide_idx on training_sessions (decided_by) where state = 'tentative';
