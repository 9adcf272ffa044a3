-- Whether an attendee with an address was told of their place. Not so when their mailbox had been given too many that day
-- (P24); until something of ours goes to them, they are not written to about what the buyer does with the place either.
alter table attendees add column told boolean not null default true;
