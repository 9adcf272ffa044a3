-- phase: expand
-- transaction: none
-- Which answer a mail was, once the mail is erased.
create index concurrently if not exists enquiry_acts_mail_id_idx on enquiry_acts (mail_id) where mail_id is not null;
