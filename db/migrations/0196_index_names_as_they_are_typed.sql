-- phase: backfill
-- Indexes again the names of before that 0195 finds by other spellings; all others are as they were.
-- Whoever changes one of them waits, or has committed before it is read below: nothing is missed in between.
select count(*) from (
  select from enrolments where other_spellings(concat_ws(' ', buyer_name, email, organisation, purchase_order)) <> ''
  order by id for no key update
) as locked;
select count(*) from (
  select from attendees where other_spellings(concat_ws(' ', name, email)) <> '' order by id for no key update
) as locked;

select count(index_enrolment(id)) from (
  select id from enrolments where other_spellings(concat_ws(' ', buyer_name, email, organisation, purchase_order)) <> ''
  union
  select enrolment_id from attendees where other_spellings(concat_ws(' ', name, email)) <> ''
  order by id
) as named;

update person_words its set words = person_tsvector(buyer_name, email, organisation, phone_word(phone))
from enrolments where source = 'enrolments' and source_id = id
  and other_spellings(concat_ws(' ', buyer_name, email, organisation)) <> '';
update person_words its set words = person_tsvector(name, email)
from attendees where source = 'attendees' and source_id = id and other_spellings(concat_ws(' ', name, email)) <> '';

select count(*) from (
  select from people where other_spellings(name) <> '' order by id for no key update
) as locked;
select count(*) from (
  select from person_emails where other_spellings(email) <> '' order by person_id for no key update
) as locked;
update person_words set words = person_tsvector(name, addresses)
from (
  select id, name, (select string_agg(email, ' ') from person_emails where person_id = people.id) as addresses from people
) as its
where source = 'people' and source_id = id and other_spellings(concat_ws(' ', name, addresses)) <> '';

select count(*) from (
  select from enquiries where other_spellings(concat_ws(' ', first_name, last_name, email)) <> ''
  order by id for no key update
) as locked;
update person_words set words = person_tsvector(first_name, last_name, email, phone_word(phone))
from enquiries where source = 'enquiries' and source_id = id
  and other_spellings(concat_ws(' ', first_name, last_name, email)) <> '';

select count(*) from (
  select from bookings where other_spellings(concat_ws(' ', name, email)) <> '' order by id for no key update
) as locked;
update person_words set words = person_tsvector(name, email)
from bookings where source = 'bookings' and source_id = id and other_spellings(concat_ws(' ', name, email)) <> '';

select count(*) from (
  select from conversations where other_spellings(concat_ws(' ', name, email)) <> '' order by id for no key update
) as locked;
update person_words set words = person_tsvector(name, email)
from conversations where source = 'conversations' and source_id = id
  and other_spellings(concat_ws(' ', name, email)) <> '';

select count(*) from (
  select from waiting_entries where other_spellings(concat_ws(' ', name, email)) <> '' order by id for no key update
) as locked;
update person_words set words = person_tsvector(name, email)
from waiting_entries where source = 'waiting_entries' and source_id = id
  and other_spellings(concat_ws(' ', name, email)) <> '';
