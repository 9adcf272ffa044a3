-- phase: expand
-- What an act of staff changed of content, prices, sessions, settings and money (P69); never names, addresses or texts of
-- people, because both tables outlive what they are about. Null: it was not there before, or is not there any more.
create table audit_changes (
  entry_id bigint not null references audit_entries,
  field text not null,
  before jsonb,
  after jsonb,
  primary key (entry_id, field),
  check (before is distinct from after)
);

-- Behind the role of the program, which may insert into and read every table whose name begins with audit_, no more.
create trigger only_added_to before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
create trigger only_added_to before update or delete or truncate on audit_changes
  for each statement execute function refuse_change();
