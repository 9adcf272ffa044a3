-- phase: expand
-- An index that is built beside traffic.
-- transaction: none
create index concurrently if not exists private_links_employer_request_id_idx on private_links (employer_request_id)
  where employer_request_id is not null;
