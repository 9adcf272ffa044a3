-- Mails that hold a link by which somebody signs in or changes a booking: what they say is erased once they are settled.
alter table mails add column secret boolean not null default false;
update mails set secret = true
  where kind in ('sign-in-link', 'booking-confirmation', 'booking-moved', 'booking-reminder');
update mails set body_text = '', body_html = '' where secret and state <> 'queued';
create index on mails (stale_after) where secret and body_text <> '';

-- Sign-ins are kept by the hash of their token from here on. Those from before end, so that no copy of the database
-- made before today can be used to sign in.
delete from sign_ins;

-- Every reference that was ever given out, whatever it stands for (P23): none is given out twice, erased ones included.
create table issued_references (
  reference text primary key
);
insert into issued_references select reference from enquiries;
insert into issued_references select reference from bookings on conflict do nothing;

-- For tables with a reference: skips a row whose reference is taken, as "on conflict do nothing" does.
create function issue_reference() returns trigger language plpgsql as $$
begin
  insert into issued_references values (new.reference) on conflict do nothing;
  if not found then
    return null;
  end if;
  return new;
end $$;
create trigger issue_reference before insert on enquiries for each row execute function issue_reference();
create trigger issue_reference before insert on bookings for each row execute function issue_reference();

-- Lists for staff, read page by page in the order of an index.
create index on enquiries (state, kind, id);
alter table enquiries alter column words set statistics 1000;
drop index bookings_starts_at_idx;
create index on bookings (starts_at, id) where cancelled_at is null;
create index on bookings (starts_at, id) where cancelled_at is not null;
