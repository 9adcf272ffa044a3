-- phase: expand
-- Prices have a memory (P47, P76): a row a period. `courses` keeps what is asked now; whoever writes it there, the ledger
-- follows by a trigger, and one that is not what `courses` has is refused.
create table prices (
  id bigint generated always as identity primary key,
  course_id bigint not null references courses,
  amount_cents integer not null check (amount_cents > 0),
  -- Struck through beside it.
  original_cents integer check (original_cents > amount_cents),
  from_at timestamptz not null,
  -- Null: it is asked now.
  until_at timestamptz check (until_at >= from_at),
  -- As of `content_revisions`; `found`: nobody said who changed it.
  author text not null check (author in ('import', 'person', 'command line', 'found')),
  person_id bigint references people,
  -- What shows that the original price was charged; `the brief`: only its source is known.
  proof text,
  note text,
  check ((author = 'person') = (person_id is not null)),
  constraint one_price_at_a_time exclude using gist (course_id with =, tstzrange(from_at, until_at) with &&)
);
create unique index on prices (course_id) where until_at is null;
create index on prices (person_id) where person_id is not null;

insert into prices (course_id, amount_cents, original_cents, from_at, author, proof)
  select courses.id, price_cents, original_price_cents,
    coalesce(
      (select min(made_at) from content_records join content_revisions on record_id = content_records.id
       where kind = 'course' and key = slug),
      first_imported_at, now()),
    'import', case when original_price_cents is not null then 'the brief' end
  from courses, import_state;

-- A period ends once and begins once; what proves it may become known later.
create trigger only_added_to before delete or truncate on prices
  for each statement execute function refuse_change();
create trigger only_closed before update on prices for each row when (
  old.until_at is not null and old.until_at is distinct from new.until_at
  or (old.id, old.course_id, old.amount_cents, old.original_cents, old.from_at, old.author, old.person_id)
    is distinct from (new.id, new.course_id, new.amount_cents, new.original_cents, new.from_at, new.author, new.person_id)
) execute function refuse_change();

-- Closes the open period and opens the next. Who changes the price, when and why is set for the transaction.
create function keep_price() returns trigger language plpgsql as $$
declare
  stamp jsonb := coalesce(nullif(current_setting('academy.price_stamp', true), ''), '{"author": "found"}');
  changed_at timestamptz := greatest(
    coalesce((stamp->>'at')::timestamptz, now()),
    (select from_at from prices where course_id = new.id and until_at is null));
begin
  update prices set until_at = changed_at where course_id = new.id and until_at is null;
  insert into prices (course_id, amount_cents, original_cents, from_at, author, person_id, proof, note)
    values (new.id, new.price_cents, new.original_price_cents, changed_at,
      stamp->>'author', (stamp->>'person')::bigint,
      case when new.original_price_cents is not null and stamp->>'author' = 'import'
        and (select first_imported_at is null from import_state) then 'the brief' end,
      stamp->>'note');
  return null;
end $$;
create trigger keep_first_price after insert on courses for each row execute function keep_price();
create trigger keep_price after update of price_cents, original_price_cents on courses for each row
  when ((old.price_cents, old.original_price_cents) is distinct from (new.price_cents, new.original_price_cents))
  execute function keep_price();

create function check_price() returns trigger language plpgsql as $$
begin
  if not exists (
    select from courses join prices on course_id = courses.id
    where courses.id = new.course_id and until_at is null and amount_cents = price_cents
      and original_cents is not distinct from original_price_cents
  ) then
    raise exception 'the open price of course % is not the one that courses has', new.course_id;
  end if;
  return null;
end $$;
create constraint trigger check_price after insert or update on prices deferrable initially deferred
  for each row execute function check_price();

-- Null: placed before there were periods, or at a price seen before.
alter table places add column price_id bigint references prices;

-- Prices that drafts hold for their visit go by the ids of course, combo and period: a slug may change.
with course_names as (
  select slug as name, id from courses union select alias, course_id from course_aliases
), named as (
  select 'course:' || name as item, 'course:' || id as key from course_names
  union select 'combo:' || slug, 'combo:' || id from combos
  union select 'combo:' || alias, 'combo:' || combo_id from combo_aliases
)
update enrolment_drafts set prices = coalesce((
  select jsonb_object_agg(key, seen || jsonb_build_object('prices', (
    select jsonb_agg(price - 'slug' || jsonb_build_object('courseId', course_names.id, 'priceId', (
      select prices.id from prices
      where course_id = course_names.id and until_at is null and amount_cents = (price->>'priceCents')::integer
    )) order by place)
    from jsonb_array_elements(seen->'prices') with ordinality list (price, place)
      join course_names on name = price->>'slug')))
  from jsonb_each(enrolment_drafts.prices) as each (item, seen) join named using (item)
), '{}')
where prices <> '{}';
