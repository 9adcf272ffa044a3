-- Times people booked with an adviser (P20). Kinds and lengths: content/site.yaml.

-- For the exclusion constraint. A trusted extension: whoever may create objects in the database may create it.
create extension if not exists btree_gist;

create table bookings (
  id bigint generated always as identity primary key,
  -- BB- and six characters without 0, O, 1 and I.
  reference text not null unique check (reference ~ '^BB-[2-9A-HJ-NP-Z]{6}$'),
  kind text not null check (kind in ('career-counseling', 'virtual-tour')),
  -- Advisers are numbered from 1.
  adviser integer not null check (adviser >= 1),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- From the start to the end of the adviser's pause after the booking, as the settings were then.
  occupied tstzrange not null,
  name text not null,
  email text not null,
  -- The address in lower case without what is behind a plus sign: whom the limits count.
  mailbox text not null,
  note text,
  -- What the page was about from which the person came, such as a course's title.
  about text,
  -- True time, as all times that decide on erasing.
  created_at timestamptz not null,
  changed_at timestamptz not null,
  cancelled_at timestamptz,
  -- SEQUENCE of the calendar entry: rises with every change (RFC 5545).
  sequence integer not null default 0 check (sequence >= 0),
  -- The start of which the reminder was queued.
  reminded_of timestamptz,
  check (starts_at < ends_at),
  check (lower(occupied) = starts_at and lower_inc(occupied) and upper(occupied) >= ends_at and not upper_inc(occupied)),
  constraint one_booking_at_a_time exclude using gist (adviser with =, occupied with &&) where (cancelled_at is null)
);
create index on bookings (starts_at);
create index on bookings (changed_at);
create index on bookings (mailbox);

-- Private links to a booking. Each mail has its own, because only the hash of its token is kept.
create table booking_links (
  -- SHA-256 of the token, base64url.
  token_hash text primary key,
  booking_id bigint not null references bookings on delete cascade
);
create index on booking_links (booking_id);
