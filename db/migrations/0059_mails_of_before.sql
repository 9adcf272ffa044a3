-- phase: backfill
-- What e-mails of before are about, as far as their links, keys or subjects tell; e-mails that list several enrolments stay without.
update mails set about_kind = named.about_kind, about_id = named.about_id
from (
  select mails.id, name.about_kind,
    case when name.kind = 'waiting-offer'
      then (select entry_id from waiting_offers where waiting_offers.id = name.id) else name.id end as about_id
  from mails cross join lateral (
    select split_part(links[1], ':', 1) as kind, split_part(links[1], ':', 2)::bigint as id,
      case split_part(links[1], ':', 1)
        when 'enrolment' then 'enrolment' when 'place' then 'enrolment' when 'accounts' then 'enrolment'
        when 'enrolment-draft' then 'enrolment-draft' when 'booking' then 'booking'
        when 'conversation' then 'conversation' when 'waiting' then 'waiting-entry'
        when 'waiting-offer' then 'waiting-entry' end as about_kind
  ) name
  where cardinality(links) > 0 and (mails.kind <> 'enrolment-links' or cardinality(links) = 1)
) named
where mails.id = named.id and named.about_kind is not null and named.about_id is not null;

update mails set about_kind = 'enrolment-draft', about_id = email_codes.draft_id
from email_codes where email_codes.mail_id = mails.id and mails.about_kind is null;

update mails set about_kind = 'enquiry', about_id = enquiries.id
from enquiries
where mails.about_kind is null and mails.dedupe_key like 'enquiry-%'
  and enquiries.reference = split_part(mails.dedupe_key, ':', 2);

-- References are drawn by lot in every table: one that is in several says nothing.
update mails set about_kind = found.about_kind, about_id = found.about_id
from (
  select reference, min(kind) as about_kind, min(id) as about_id
  from (
    select reference, 'enrolment' as kind, id from enrolments
    union all select reference, 'booking', id from bookings
    union all select reference, 'enquiry', id from enquiries
    union all select reference, 'waiting-entry', id from waiting_entries
  ) everything
  group by reference having count(*) = 1
) found
where mails.about_kind is null and found.reference = substring(mails.subject from 'BB-[0-9A-Z]{6}');

insert into place_reminders (key, queued_at)
select dedupe_key, queued_at from mails where dedupe_key like 'place-reminder:%';
