-- Card payments by Stripe Checkout (P29). The money is in payments and refunds; here is what Stripe was asked and what it said.

-- Money in another currency is owed on no enrolment.
alter table payments
  add column currency text not null default 'AUD' check (currency ~ '^[A-Z]{3}$'),
  add check (currency = 'AUD' or enrolment_id is null);

create table card_checkouts (
  id bigint generated always as identity primary key,
  -- Names it at Stripe, whose answer may never have arrived here.
  key uuid not null unique,
  enrolment_id bigint not null references enrolments on delete cascade,
  -- What was owed when it was made; once something else is owed, it is ended.
  amount_cents integer not null check (amount_cents > 0),
  stripe_id text unique,
  -- Where the buyer pays, while that is possible.
  url text,
  state text not null check (state in ('making', 'open', 'processing', 'paid', 'failed', 'expired')),
  made_at timestamptz not null,
  expires_at timestamptz not null,
  check (url is null or state = 'open')
);
create index on card_checkouts (enrolment_id);
create index on card_checkouts (id) where state in ('making', 'open');

-- Refunds that Stripe is to send or has sent.
create table card_refunds (
  refund_id bigint primary key references refunds,
  -- Null until Stripe has taken it.
  stripe_id text unique,
  -- Why it failed, or why Stripe has not taken it yet.
  fault text,
  tried_at timestamptz not null
);

-- Payments that cardholders took back through their bank.
create table card_disputes (
  stripe_id text primary key,
  payment_id bigint not null references payments,
  -- The money that was taken back; null while the bank only asks.
  refund_id bigint references refunds,
  amount_cents integer not null,
  status text not null,
  reason text not null,
  -- By Stripe's clock.
  opened_at timestamptz not null,
  changed_at timestamptz not null
);
create index on card_disputes (payment_id);

-- What arrived about a payment that is not recorded yet: events come in any order.
create table waiting_card_events (
  id text primary key,
  payment_intent text not null,
  event jsonb not null,
  received_at timestamptz not null
);
create index on waiting_card_events (payment_intent);
