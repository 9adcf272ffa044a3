-- phase: expand
-- An original price is shown while something proves that it was charged (P47), and staff plan changes of prices (P76).
alter table prices
  -- When the owner confirmed the original price, and who that was; `proof` then is what shows it.
  add column proved_at timestamptz,
  add column proved_by bigint references people;
create index on prices (proved_by) where proved_by is not null; -- allowed: no price has the new column yet, so the index is empty and is built by reading the table once

-- Whether a course was charged a price for at least four weeks within the six months before an instant.
create function was_charged(course bigint, cents integer, at timestamptz) returns boolean language sql stable as $$
  select coalesce(sum(least(coalesce(until_at, at), at) - greatest(from_at, at - interval '6 months')), interval '0')
    >= interval '28 days'
  from prices
  where course_id = course and amount_cents = cents and from_at < at
    and coalesce(until_at, at) > at - interval '6 months'
$$;

-- As in 0057, and with what proves the original price: what was known of the same one stays known, otherwise the ledger.
create or replace function keep_price() returns trigger language plpgsql as $$
declare
  stamp jsonb := coalesce(nullif(current_setting('academy.price_stamp', true), ''), '{"author": "found"}');
  ended prices;
  changed_at timestamptz;
begin
  select * into ended from prices where course_id = new.id and until_at is null;
  changed_at := greatest(coalesce((stamp->>'at')::timestamptz, now()), ended.from_at);
  update prices set until_at = changed_at where id = ended.id;
  insert into prices (course_id, amount_cents, original_cents, from_at, author, person_id, note, proof, proved_at, proved_by)
    select new.id, new.price_cents, new.original_price_cents, changed_at, stamp->>'author', (stamp->>'person')::bigint,
      stamp->>'note',
      case
        when new.original_price_cents is null then null
        when stamp->>'author' = 'import' and first_imported_at is null then 'the brief'
        when same and ended.proof not in ('the brief', 'the ledger') then ended.proof
        when was_charged(new.id, new.original_price_cents, changed_at) then 'the ledger'
        when same and ended.proof = 'the brief' then ended.proof
      end,
      case when same then ended.proved_at end, case when same then ended.proved_by end
    from import_state, (select ended.original_cents = new.original_price_cents as same) compared;
  return null;
end $$;

-- What proves a price is read with its course.
create function price_proved() returns trigger language plpgsql as $$
begin
  update courses set revision = revision where id = new.course_id;
  return null;
end $$;
create trigger price_proved after update of proof on prices
  for each row when (old.proof is distinct from new.proof) execute function price_proved();

-- Until now a change of the price alone lost what was known of its original price.
update prices set proof = 'the brief'
where until_at is null and original_cents is not null and proof is null and exists (
  select from prices earlier where earlier.course_id = prices.course_id
    and earlier.original_cents = prices.original_cents and earlier.proof = 'the brief');

-- Changes of prices to come. Each is made once, by a job, at its instant or as soon after it as the program runs.
create table planned_prices (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  amount_cents integer not null check (amount_cents > 0),
  original_cents integer check (original_cents > amount_cents),
  from_at timestamptz not null,
  person_id bigint not null references people,
  note text,
  made_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('made', 'withdrawn', 'refused')),
  -- Why it was refused, in words.
  fault text,
  check ((ended_at is null) = (outcome is null)),
  check ((fault is null) or outcome = 'refused')
);
create unique index on planned_prices (course_id, from_at) where ended_at is null;
create index on planned_prices (from_at) where ended_at is null;
create index on planned_prices (person_id);
