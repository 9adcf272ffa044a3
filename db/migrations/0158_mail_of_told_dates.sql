-- phase: expand
-- In which mail a person was told of a date, so that what a withdrawn mail said can be said again (P57). Empty for dates
-- that were no news when the person asked, and for mails of the release before.
alter table wish_dates_told add column mail_id uuid;
