-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists private_links_offer_id_idx on private_links (offer_id) where offer_id is not null;
