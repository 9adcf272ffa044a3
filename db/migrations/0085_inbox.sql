-- phase: expand
-- Staff share one inbox (P81): who has something in hand, until when it is put off, and bookings that are done.

-- One row for each thing that somebody took, put off or was done with. Enquiries and chats have their own states.
create table inbox_holds (
  id bigint generated always as identity primary key,
  enquiry_id bigint unique references enquiries on delete cascade,
  conversation_id bigint unique references conversations on delete cascade,
  booking_id bigint unique references bookings on delete cascade,
  -- Null: nobody has it in hand.
  held_by bigint references people on delete set null,
  held_at timestamptz,
  -- It is back from this instant on, and at once when a visitor writes after it was put off.
  snoozed_until timestamptz,
  snoozed_at timestamptz,
  -- Of bookings only.
  done_at timestamptz,
  done_by bigint references people on delete set null,
  check (num_nonnulls(enquiry_id, conversation_id, booking_id) = 1),
  check ((snoozed_until is null) = (snoozed_at is null)),
  check (done_at is null or booking_id is not null)
);
create index on inbox_holds (held_by);
create index on inbox_holds (done_by);
