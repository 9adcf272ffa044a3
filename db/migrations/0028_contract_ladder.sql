-- The refund ladder that a contract was made under, and what of a combo's discount was withdrawn (P40).

-- What was bought before allowed single courses of a combo to be given back without touching the others.
alter table enrolments
  add column ladder jsonb not null
    default '{"fullDays": 14, "halfDays": 7, "fullHours": 24, "repricesKept": false}'
    check (ladder ?& array['fullDays', 'halfDays', 'fullHours', 'repricesKept']);
-- From now on whoever makes the contract says which.
alter table enrolments alter column ladder drop default;

alter table places
  -- How much of its discount is charged after all, because other courses of the combo were cancelled.
  add column withdrawn_cents integer not null default 0,
  -- Of a cancelled place: how much of its discount may be charged at most, because it had begun. Null: all of it.
  add column withdrawable_cents integer,
  add check (withdrawn_cents between 0 and discount_cents),
  add check (withdrawable_cents between 0 and discount_cents);
