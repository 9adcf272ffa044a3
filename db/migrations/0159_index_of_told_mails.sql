-- phase: expand
-- transaction: none
-- Which dates a mail told of.
create index concurrently if not exists wish_dates_told_mail_idx on wish_dates_told (mail_id) where mail_id is not null;
