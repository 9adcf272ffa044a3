-- Who asked for a link to sign in. Whether the address is one of staff is looked up after the answer, so that the answer
-- takes as long for everybody. A row lives for about a second.
create table sign_in_requests (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email)),
  -- The page for staff to lead to.
  leads_to text not null,
  requested_at timestamptz not null default now()
);
