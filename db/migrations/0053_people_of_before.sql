-- phase: backfill
-- In place, because erasing and exporting go by person from this release on: a row without its person would be missed.

-- One person for each address that is known (P50). The triggers of 0052 give new rows theirs.
insert into people (email)
  select distinct lower(email) from (
    select email from enrolments union all select email from attendees union all select email from bookings
    union all select email from conversations union all select email from enquiries union all select email from waiting_entries
    union all select address from marketing_consents
  ) known
  where email is not null and email not like '%@bowerbird.invalid'
  order by 1
  on conflict (email) do nothing;

-- What was proved: codes of enrolments that are still kept.
update person_emails set verified_at = proved.at
  from (select lower(email) as email, min(used_at) as at from email_codes where used_at is not null group by 1) proved
  where person_emails.email = proved.email and verified_at is null;

update enrolments set person_id = known.person_id from person_emails known where known.email = lower(enrolments.email);
update attendees set person_id = known.person_id from person_emails known where known.email = lower(attendees.email);
update bookings set person_id = known.person_id from person_emails known where known.email = lower(bookings.email);
update conversations set person_id = known.person_id from person_emails known where known.email = lower(conversations.email);
update enquiries set person_id = known.person_id from person_emails known where known.email = lower(enquiries.email);
update waiting_entries set person_id = known.person_id from person_emails known
  where known.email = lower(waiting_entries.email);
update marketing_consents set person_id = known.person_id from person_emails known
  where known.email = lower(marketing_consents.address);

-- What is asked at the end of the transaction is asked now: a table for which it is still to be asked can be given no index.
set constraints all immediate;
set constraints all deferred;

create index on enrolments (person_id);
create index on attendees (person_id);
create index on bookings (person_id);
create index on conversations (person_id);
create index on enquiries (person_id);
create index on waiting_entries (person_id);
create index on marketing_consents (person_id);

-- Whose needs and guardian are to be erased after the course.
create index attendees_with_needs on attendees (id) where needs is not null or guardian_name is not null or under_18;
