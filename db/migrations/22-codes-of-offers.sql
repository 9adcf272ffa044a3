-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists email_codes_offer_id_idx on email_codes (offer_id) where offer_id is not null;
