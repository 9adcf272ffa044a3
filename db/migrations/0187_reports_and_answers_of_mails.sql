-- phase: expand
-- When a mail server reported that a mail could not be delivered after all, also while it was still on its way: what ends
-- later says nothing else then. Sending it again empties it.
alter table mails add column came_back_at timestamptz;
-- The mail that an answer went out with. The mail is erased after some weeks; what answers it still finds its conversation.
alter table enquiry_acts add column mail_id uuid;
