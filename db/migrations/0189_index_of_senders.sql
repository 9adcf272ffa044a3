-- phase: expand
-- transaction: none
-- An email that asks for answers at another address is its sender's as well: an export has it, and erasing takes it.
create index concurrently if not exists inbound_emails_sender_idx on inbound_emails (lower(sender)) where sender is not null;
