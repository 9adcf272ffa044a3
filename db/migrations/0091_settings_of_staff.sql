-- phase: expand
-- Staff switch the keys of the inbox off for themselves (P81, WCAG 2.1.4). The release before has no keys.

-- What a member of staff chose; without a row the usual.
create table staff_settings (
  person_id bigint primary key references people on delete cascade,
  inbox_keys boolean not null
);
