-- phase: expand
-- An answer to the last message of a conversation answers the open ones before it (decision 152): which answer it was, so
-- that taking it back opens them again.
alter table enquiry_acts add column with_act bigint;
