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
