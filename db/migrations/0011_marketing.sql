-- Who agreed to marketing, to which words and when; deleted when withdrawn (P49).
create table marketing_consents (
  -- Keyed hash of the address, by which an unsubscribe link names it.
  address_hash text primary key,
  address text not null,
  wording text not null,
  given_at timestamptz not null
);

-- Who is not to be sent marketing again; the address itself is not kept.
create table mail_suppressions (
  address_hash text primary key,
  since timestamptz not null
);
