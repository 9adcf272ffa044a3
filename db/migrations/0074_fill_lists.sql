-- phase: backfill
-- Fills what lists are read from, for the enrolments and people of before.
select list_enrolments(array_agg(id order by id)) from (
  select id, (row_number() over (order by id) - 1) / 1000 as batch from enrolments
) as numbered group by batch order by batch;

insert into person_words (source, source_id, person_id, words)
select 'people', id, id, person_tsvector(name, (select string_agg(email, ' ') from person_emails where person_id = id))
from people where name is not null or exists (select from person_emails where person_id = people.id)
union all
select 'enrolments', id, person_id, person_tsvector(buyer_name, email, organisation, phone_word(phone))
from enrolments where person_id is not null
union all
select 'attendees', id, person_id, person_tsvector(name, email) from attendees where person_id is not null
union all
select 'enquiries', id, person_id, person_tsvector(first_name, last_name, email, phone_word(phone))
from enquiries where person_id is not null
union all
select 'bookings', id, person_id, person_tsvector(name, email) from bookings where person_id is not null
union all
select 'conversations', id, person_id, person_tsvector(name, email) from conversations where person_id is not null
union all
select 'waiting_entries', id, person_id, person_tsvector(name, email) from waiting_entries where person_id is not null
on conflict do nothing;
