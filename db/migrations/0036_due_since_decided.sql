-- P39: an invoice that waited for a decision is not overdue the moment its place leaves the session that was waited for.

-- The academy's day on which a place was cancelled or moved; null for those from before, whose true time stands for it.
alter table places add column ended_on date;

-- As before, but an invoice is due on its printed day or since nothing on it waits for a decision, whichever is later,
-- whether the session was confirmed, or the place was cancelled or moved to another one before that.
create or replace function open_invoices(wanted bigint) returns table (
  tax_invoice_id bigint,
  number integer,
  -- The number of the first invoice for it: an invoice that replaces another is for the same debt.
  debt integer,
  printed_due_on date,
  -- Null while nothing of it is due: a session is not confirmed, or was cancelled and its buyer chooses.
  due_on date,
  open_cents bigint,
  due_cents bigint,
  -- Of what is due, what is for places that are not cancelled: only that is asked for by the program itself.
  asked_cents bigint,
  -- For places in a session that the academy cancelled, while their buyer chooses.
  choosing_cents bigint,
  undecided boolean,
  -- Of the places it is for that are not cancelled.
  first_day date
) language sql stable as $$
  with recursive chain as (
    select id as invoiced_as, id as place_id from places where enrolment_id = wanted
    union all
    select invoiced_as, later.id from chain join places later on later.transferred_from = chain.place_id
  ), debts as (
    select id, facts ->> 'number' as label, invoice.number as debt from tax_invoices invoice
      where enrolment_id = wanted and facts ->> 'replaces' is null
    union all
    select invoice.id, invoice.facts ->> 'number', debts.debt from debts
      join tax_invoices invoice on invoice.enrolment_id = wanted and invoice.facts ->> 'replaces' = debts.label
  ), lines as (
    select invoice.id, line.amount_cents - coalesce((
        select sum(credit.amount_cents) from adjustment_note_lines credit
          join adjustment_notes note on note.id = credit.adjustment_note_id
          where note.tax_invoice_id = invoice.id and credit.invoice_position = line.position), 0) as left_cents,
      case
        when place.state = 'cancelled' then 2
        when session.state = 'cancelled' and place.state = 'active' then 3
        else 1
      end as kind,
      place.state = 'active' and session.state = 'tentative' as undecided,
      -- Cancelled before it was confirmed, while the buyer chooses.
      place.state = 'active' and session.state = 'cancelled' and session.confirmed_on is null
        and session.decided_by is not null as never_decided,
      coalesce(session.starts_on, place.guided_from) as first_day
    from tax_invoices invoice
      join tax_invoice_lines line on line.tax_invoice_id = invoice.id
      left join chain on chain.invoiced_as = line.place_id
        and not exists (select from places later where later.transferred_from = chain.place_id)
      left join places place on place.id = chain.place_id
      left join training_sessions session on session.id = place.training_session_id
    where invoice.enrolment_id = wanted
  ), decisions as (
    -- Since when nothing on an invoice waits for a decision any more: each session was confirmed, or its place was
    -- cancelled or moved before that.
    select line.tax_invoice_id as id, max(least(session.confirmed_on, coalesce(place.ended_on,
        (place.cancelled_at at time zone 'Australia/Brisbane')::date))) as decided_on
      from tax_invoices invoice
        join tax_invoice_lines line on line.tax_invoice_id = invoice.id
        join chain on chain.invoiced_as = line.place_id
        join places place on place.id = chain.place_id
        join training_sessions session on session.id = place.training_session_id
      where invoice.enrolment_id = wanted and (session.decided_by is not null or session.confirmed_on is not null)
      group by line.tax_invoice_id
  ), invoices as (
    select invoice.id, invoice.number, coalesce(debts.debt, invoice.number) as debt,
      (invoice.facts ->> 'dueOn')::date as printed_due_on, is_undecided, lines_first_day,
      case when not is_undecided and not is_never_decided
        then greatest((invoice.facts ->> 'dueOn')::date, decided_on) end as due_on
    from tax_invoices invoice
      left join debts on debts.id = invoice.id
      left join decisions on decisions.id = invoice.id
      join (
        select id, coalesce(bool_or(undecided), false) as is_undecided,
          coalesce(bool_or(never_decided), false) as is_never_decided,
          min(first_day) filter (where kind = 1) as lines_first_day
        from lines where left_cents > 0 group by id
      ) as its on its.id = invoice.id
  ), parts as (
    select invoices.id, kind, case when kind <> 3 then due_on end as part_due_on, printed_due_on, number,
      sum(left_cents) as left_cents
    from lines join invoices on invoices.id = lines.id
    where left_cents > 0
    group by invoices.id, kind, due_on, printed_due_on, number
  ), summed as (
    select parts.*, sum(left_cents) over (order by part_due_on nulls last, printed_due_on, number, kind) as up_to_it
    from parts
  ), opened as (
    select summed.id, kind, part_due_on, greatest(0, least(left_cents, up_to_it - paid_for(wanted)))::bigint as cents
    from summed
  ), totals as (
    select id, sum(cents)::bigint as open_cents,
      coalesce(sum(cents) filter (where part_due_on is not null), 0)::bigint as due_cents,
      coalesce(sum(cents) filter (where part_due_on is not null and kind = 1), 0)::bigint as asked_cents,
      coalesce(sum(cents) filter (where kind = 3), 0)::bigint as choosing_cents
    from opened group by id
  )
  select invoices.id, number, debt, printed_due_on, case when due_cents > 0 then due_on end, open_cents, due_cents,
    asked_cents, choosing_cents, is_undecided, lines_first_day
  from totals join invoices on invoices.id = totals.id
  where open_cents > 0
  order by case when due_cents > 0 then due_on end nulls last, printed_due_on, number
$$;

-- Reminders from before 0031 were remembered under the number of their invoice. Where that invoice had replaced another,
-- the debt has the number of the first one, and the same reminder would have been sent once more (P39).
with recursive roots as (
  select enrolment_id, number, facts ->> 'number' as label, number as debt from tax_invoices
    where facts ->> 'replaces' is null
  union all
  select invoice.enrolment_id, invoice.number, invoice.facts ->> 'number', roots.debt from roots
    join tax_invoices invoice on invoice.enrolment_id = roots.enrolment_id and invoice.facts ->> 'replaces' = roots.label
), misnamed as (
  delete from payment_reminders told using roots
    where told.debt = roots.number and roots.debt <> roots.number
    returning told.enrolment_id, roots.debt, told.step, told.sent_on, told.mail_id
)
insert into payment_reminders (enrolment_id, debt, step, sent_on, mail_id)
  select enrolment_id, debt, step, sent_on, mail_id from misnamed
  on conflict do nothing;
