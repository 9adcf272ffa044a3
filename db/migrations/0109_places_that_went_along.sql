-- phase: expand
-- A course of a combo that was given back because the academy changed another one of it (P40). The two weeks in which others
-- may follow count from the changed one, not from those that followed it.
alter table places add column went_along boolean not null default false;
