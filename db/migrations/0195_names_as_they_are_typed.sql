-- phase: expand
-- P82: a name is found as people type it: without its accents ("nunez" for Núñez), and without its apostrophe or hyphen
-- ("dambrosio" for D'Ambrosio). The spelling of the record stays in the index, so the release before finds it as it did.

create function without_accents(its text) returns text language sql immutable as $$
  select normalize(regexp_replace(normalize(its, NFD), '[\u0300-\u036f]', '', 'g'), NFC)
$$;
-- How else a name is typed: without accents, and with its parts as one word; empty where nobody types it otherwise.
create function other_spellings(name text) returns text language sql immutable as $$
  select concat_ws(' ', nullif(plain, name), nullif(joined, plain)) from (
    select plain, regexp_replace(plain, '([[:alpha:]])[''’‐-](?=[[:alpha:]])', '\1', 'g') as joined
    from (select without_accents(name) as plain) as without
  ) as its
$$;

-- As before, and with other spellings.
create or replace function person_tsvector(variadic texts text[]) returns tsvector language sql immutable as $$
  select to_tsvector('simple', regexp_replace(
    concat_ws(' ', its, other_spellings(its)), '[!-/:-@[-`{-~]+', ' ', 'g'))
  from (select concat_ws(' ', variadic texts) as its) as joined
$$;

-- As before, and with other spellings of all but the numbers.
create or replace function index_enrolment(wanted bigint) returns void language plpgsql as $$
begin
  insert into enrolment_index (enrolment_id, words, balance_cents)
    select id, '', 0 from enrolments where id = wanted
    on conflict do nothing;
  -- Whoever changes the same enrolment meanwhile waits here, so that the sums below see what the other committed.
  perform from enrolment_index where enrolment_id = wanted for no key update;
  update enrolment_index set
    -- Nothing while the enrolment is being erased.
    words = coalesce((
      select to_tsvector('simple', regexp_replace(
        concat_ws(' ', reference, buyer_name, email, phone, organisation, purchase_order,
          (select string_agg(concat_ws(' ', name, attendees.email), ' ') from attendees where enrolment_id = wanted),
          (select string_agg(format('INV %1$s INV%1$s %2$s', lpad(number::text, 5, '0'), number), ' ')
            from tax_invoices where enrolment_id = wanted),
          other_spellings(concat_ws(' ', buyer_name, email, organisation, purchase_order,
            (select string_agg(concat_ws(' ', name, attendees.email), ' ') from attendees where enrolment_id = wanted)))),
        '[!-/:-@[-`{-~]+', ' ', 'g'))
      from enrolments where id = wanted), ''),
    (balance_cents, due_on) = (
      with invoices as (
        select invoice.id, (facts ->> 'dueOn')::date as due, total_cents - coalesce(
          (select sum(note.total_cents) from adjustment_notes note where note.tax_invoice_id = invoice.id), 0) as left_of_it
        from tax_invoices invoice where enrolment_id = wanted
      ), money as (
        select coalesce((select sum(amount_cents) from payments where enrolment_id = wanted), 0)
          - coalesce((select sum(refund.amount_cents) from refunds refund join payments payment on payment.id = refund.payment_id
            where payment.enrolment_id = wanted and refund.state = 'sent'), 0) as paid
      ), summed as (
        select due, sum(left_of_it) over (order by due, id) as up_to_it from invoices
      )
      select coalesce((select sum(left_of_it) from invoices), 0) - paid,
        (select min(due) from summed where up_to_it > paid)
      from money)
  where enrolment_id = wanted;
end $$;
