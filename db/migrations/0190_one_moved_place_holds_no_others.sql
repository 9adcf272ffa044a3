-- phase: expand
-- P39, P40: whoever moves one of several places to a date that is not confirmed puts off what is due for that place, and
-- not what is due for the others.

-- As in 0163, but a place that was moved to a tentative session is a part of its own, which is due on no day.
create or replace function open_invoices(wanted bigint) returns table (
  tax_invoice_id bigint,
  number integer,
  -- The number of the first invoice for it: an invoice that replaces another is for the same debt.
  debt integer,
  printed_due_on date,
  -- Null while nothing of it is due: a session is not confirmed, or was cancelled and its buyer chooses. Of an invoice on
  -- which one place was moved to such a session, the rest is due.
  due_on date,
  open_cents bigint,
  due_cents bigint,
  -- Of what is due, what is for places that are not cancelled: only that is asked for by the program itself.
  asked_cents bigint,
  -- For places in a session that the academy cancelled, while their buyer chooses.
  choosing_cents bigint,
  undecided boolean,
  -- Of the places it is for that are not cancelled, and do not wait after a move.
  first_day date,
  -- Null without an agreement, and for what was due before the first instalment.
  instalment_id bigint
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
        when session.state = 'tentative' and place.state = 'active' and place.transferred_from is not null then 4
        else 1
      end as kind,
      place.state = 'active' and session.state = 'tentative' as undecided,
      -- Others on the invoice do not wait for a place that was moved.
      place.transferred_from is null as holds_all,
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
    -- cancelled or moved before that. Whoever moves off a session that the academy cancelled decides on that day.
    select line.tax_invoice_id as id, max(case when moved_off_cancelled then place.ended_on
        else least(session.confirmed_on, coalesce(place.ended_on,
          (place.cancelled_at at time zone 'Australia/Brisbane')::date)) end) as decided_on
      from tax_invoices invoice
        join tax_invoice_lines line on line.tax_invoice_id = invoice.id
        join chain on chain.invoiced_as = line.place_id
        join places place on place.id = chain.place_id
        join training_sessions session on session.id = place.training_session_id
        cross join lateral (
          select place.left_cancelled_session and place.cancelled_why = 'transfer' as moved_off_cancelled) as its
      where invoice.enrolment_id = wanted
        and (session.decided_by is not null or session.confirmed_on is not null or moved_off_cancelled)
      group by line.tax_invoice_id
  ), invoices as (
    select invoice.id, invoice.number, coalesce(debts.debt, invoice.number) as debt, decided_on,
      (invoice.facts ->> 'dueOn')::date as printed_due_on, is_undecided, lines_first_day,
      case when not all_undecided and not is_never_decided
        then greatest((invoice.facts ->> 'dueOn')::date, decided_on) end as due_on
    from tax_invoices invoice
      left join debts on debts.id = invoice.id
      left join decisions on decisions.id = invoice.id
      join (
        select id, coalesce(bool_or(undecided), false) as is_undecided,
          coalesce(bool_or(undecided and holds_all), false) as all_undecided,
          coalesce(bool_or(never_decided and holds_all), false) as is_never_decided,
          min(first_day) filter (where kind = 1) as lines_first_day
        from lines where left_cents > 0 group by id
      ) as its on its.id = invoice.id
  ), kinds as (
    select invoices.id, kind, sum(left_cents)::bigint as left_cents
    from lines join invoices on invoices.id = lines.id
    where left_cents > 0
    group by invoices.id, kind
  ), spans as (
    -- What is due of an invoice, end to end: first for places that stand.
    select id, kind, sum(left_cents) over its - left_cents as begins, sum(left_cents) over its as ends,
      sum(left_cents) over (partition by id) as total
    from kinds where kind not in (3, 4)
    window its as (partition by id order by kind)
  ), agreed as (
    select invoices.id, instalment.id as instalment_id, instalment.position,
      greatest(instalment.due_on, invoices.decided_on) as agreed_on,
      sum(amount_cents) over from_last as from_it, sum(amount_cents) over from_last - amount_cents as behind_it
    from invoices join instalments instalment on instalment.debt = invoices.debt and instalment.ended_at is null
    window from_last as (partition by invoices.id order by instalment.position desc)
  ), steps as (
    select invoices.id, null::bigint as instalment_id, 0 as step, due_on as step_due_on, due_on as paid_from,
      coalesce((select max(from_it) from agreed where agreed.id = invoices.id), 0) as behind, null::bigint as upto
    from invoices
    union all
    select agreed.id, instalment_id, position, case when due_on is not null then agreed_on end,
      -- Money meets nothing sooner because of an agreement, so that none moves from one invoice to another by it.
      case when due_on is not null then greatest(agreed_on, due_on) end, behind_it, from_it
    from agreed join invoices on invoices.id = agreed.id
  ), parts as (
    -- What a step has of a span: both are laid on the same line, the steps from its end.
    select spans.id, kind, instalment_id, step, step_due_on as part_due_on, paid_from,
      least(ends, greatest(0, total - behind)) - greatest(begins, case when upto is null then 0 else total - upto end)
        as left_cents
    from spans join steps on steps.id = spans.id
    where least(ends, greatest(0, total - behind)) > greatest(begins, case when upto is null then 0 else total - upto end)
    union all
    select id, kind, null, 0, null, null, left_cents from kinds where kind in (3, 4)
  ), laid as (
    -- What was paid of its debt before stays with it, and meets its first parts.
    select parts.*, printed_due_on, number, greatest(0, least(left_cents,
      coalesce(allocation.cents, 0) - (sum(left_cents) over (partition by invoices.debt
        order by paid_from nulls last, number, step, kind) - left_cents))) as allocated
    from parts join invoices on invoices.id = parts.id
      left join payment_allocations allocation
        on allocation.enrolment_id = wanted and allocation.debt = invoices.debt
  ), kept as (
    -- When money went back, what is due last lacks it.
    select laid.*, greatest(0, least(allocated,
      paid_for(wanted) - (sum(allocated) over its_order - allocated))) as kept_cents
    from laid window its_order as (order by paid_from nulls last, printed_due_on, number, step, kind)
  ), summed as (
    select kept.*, left_cents - kept_cents as rest_cents,
      sum(left_cents - kept_cents) over (order by paid_from nulls last, printed_due_on, number, step, kind)
        + sum(kept_cents) over () as up_to_it
    from kept
  ), opened as (
    select summed.id, kind, instalment_id, step, part_due_on,
      greatest(0, least(rest_cents, up_to_it - paid_for(wanted)))::bigint as cents
    from summed
  ), totals as (
    select id, instalment_id, step, sum(cents)::bigint as open_cents,
      min(part_due_on) filter (where cents > 0) as due_on,
      coalesce(sum(cents) filter (where part_due_on is not null), 0)::bigint as due_cents,
      coalesce(sum(cents) filter (where part_due_on is not null and kind = 1), 0)::bigint as asked_cents,
      coalesce(sum(cents) filter (where kind = 3), 0)::bigint as choosing_cents
    from opened group by id, instalment_id, step
  )
  select invoices.id, number, debt, printed_due_on, totals.due_on, open_cents, due_cents, asked_cents, choosing_cents,
    is_undecided, lines_first_day, instalment_id
  from totals join invoices on invoices.id = totals.id
  where open_cents > 0
  order by totals.due_on nulls last, printed_due_on, number, step
$$;
