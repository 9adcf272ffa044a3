-- phase: expand
-- transaction: none
-- What an answer that is taken back answered as well.
create index concurrently if not exists enquiry_acts_with_act_idx on enquiry_acts (with_act) where with_act is not null;
