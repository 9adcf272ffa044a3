-- phase: expand
-- Adds certificates with the facts they were issued on, and the names that holders ask to have corrected (P64, P65).

create table certificates (
  id bigint generated always as identity primary key,
  -- Twelve characters that cannot be misread and a check character.
  number text not null unique check (number ~ '^[2-9A-HJ-NP-Z]{13}$'),
  -- By which its holder finds it. What it says is in the columns below and read from nowhere else.
  place_id bigint not null references places,
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  -- Both null once its holder was erased: the number goes on answering.
  holder_name text check (holder_name <> ''),
  holder_email text,
  -- What its public page shows, chosen by its holder.
  shows text not null default 'valid' check (shows in ('valid', 'name', 'bower')),
  state text not null default 'issued' check (state in ('issued', 'undone', 'revoked', 'withdrawn', 'superseded')),
  -- When it stopped holding, who ended it, and why it was revoked, as its page says it.
  ended_at timestamptz,
  ended_by bigint references people on delete set null,
  reason text,
  issued_at timestamptz not null,
  -- Null: by the program.
  issued_by bigint references people on delete set null,
  -- The certificate of the same place that it takes the place of: only the name differs.
  supersedes bigint unique references certificates,
  -- When staff last looked at records that were corrected after it was issued, and let it stand.
  looked_at timestamptz,
  check ((state = 'issued') = (ended_at is null)),
  check ((state = 'revoked') = (reason is not null))
);
create unique index on certificates (place_id) where state = 'issued';
create index on certificates (place_id);
create index on certificates (issued_at desc, id desc);
create index on certificates (issued_by);
create index on certificates (ended_by);

-- It ends once, and nothing it says changes afterwards; its holder can be erased from it.
create function keep_certificate() returns trigger language plpgsql as $$
declare
  free constant text[] := array['shows', 'looked_at', 'holder_name', 'holder_email', 'issued_by', 'ended_by'];
  ending constant text[] := array['state', 'ended_at', 'reason'];
begin
  if to_jsonb(new) - free - ending <> to_jsonb(old) - free - ending
    or new.holder_name is distinct from old.holder_name and new.holder_name is not null
    or new.holder_email is distinct from old.holder_email and new.holder_email is not null
    or old.state <> 'issued'
      and (new.state, new.ended_at, new.reason) is distinct from (old.state, old.ended_at, old.reason)
  then
    raise exception 'a certificate says what it was issued on';
  end if;
  return new;
end $$;
create trigger keep_certificate before update on certificates for each row execute function keep_certificate();
create trigger only_added_to before delete or truncate on certificates
  for each statement execute function refuse_change();

-- Names that staff have to look at before a certificate is issued again with them.
create table certificate_names (
  id bigint generated always as identity primary key,
  certificate_id bigint not null references certificates,
  -- Null once its holder was erased.
  name text check (name <> ''),
  asked_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references people on delete set null,
  taken boolean,
  check ((decided_at is null) = (taken is null))
);
create unique index on certificate_names (certificate_id) where decided_at is null;
create index on certificate_names (certificate_id);
create index on certificate_names (decided_by);
