-- phase: expand
-- The accountant gets each document once, in files of their own (P83); reports read documents and money by their day (P85).

create table accountant_files (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('tax-invoice', 'adjustment-note')),
  -- A file has every document of its kind from one number to another.
  first_number integer not null,
  last_number integer not null,
  documents integer not null check (documents between 1 and 500),
  total_cents bigint not null,
  gst_cents bigint not null,
  -- The account of each line.
  account_code text not null,
  -- Numbers of documents whose GST the accountant's program computes as another amount, a cent or two away.
  gst_differs text[] not null,
  made_at timestamptz not null,
  made_by bigint references people on delete set null,
  -- When it was first downloaded.
  taken_at timestamptz,
  check (first_number <= last_number),
  exclude using gist (int4range(first_number, last_number, '[]') with &&) where (kind = 'tax-invoice'),
  exclude using gist (int4range(first_number, last_number, '[]') with &&) where (kind = 'adjustment-note')
);
create index on accountant_files (made_by);

create index on tax_invoices (issued_on, number); -- allowed: a table of documents or money, read once in about a second at a million rows
create index on adjustment_notes (issued_on, number); -- allowed: a table of documents or money, read once in about a second at a million rows
create index on payments (received_on, id); -- allowed: a table of documents or money, read once in about a second at a million rows
create index on refunds (recorded_at, id); -- allowed: a table of documents or money, read once in about a second at a million rows
