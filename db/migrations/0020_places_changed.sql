-- What the commands that change a place need to know beside 0017, and attachments of e-mails.

-- Documents that are made again from stored facts whenever the mail is sent: [{"filename": …, "document": …}].
alter table mails add column attachments jsonb not null default '[]';

alter table places
  -- The moves its buyer asked for, oldest first: when, and the dates and state of the session then (P40).
  add column moves jsonb not null default '[]',
  -- The academy cancelled or moved its training session: until this day its buyer chooses; then it is refunded (P40).
  add column choose_by date,
  add column choose_why text check (choose_why in ('session-cancelled', 'session-moved')),
  add check ((choose_by is null) = (choose_why is null)),
  add check (choose_by is null or state = 'active');
create index on places (choose_by) where choose_by is not null;
