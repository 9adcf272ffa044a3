-- phase: expand
-- Staff may revoke a certificate that its holder withdrew before (P64): nobody escapes by withdrawing first.

create or replace function keep_certificate() returns trigger language plpgsql as $$
declare
  free constant text[] := array['shows', 'looked_at', 'holder_name', 'holder_email', 'issued_by', 'ended_by'];
  ending constant text[] := array['state', 'ended_at', 'reason'];
begin
  if to_jsonb(new) - free - ending <> to_jsonb(old) - free - ending
    or new.holder_name is distinct from old.holder_name and new.holder_name is not null
    or new.holder_email is distinct from old.holder_email and new.holder_email is not null
    or old.state <> 'issued' and not (old.state = 'withdrawn' and new.state = 'revoked')
      and (new.state, new.ended_at, new.reason) is distinct from (old.state, old.ended_at, old.reason)
  then
    raise exception 'a certificate says what it was issued on';
  end if;
  return new;
end $$;
