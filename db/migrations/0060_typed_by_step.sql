-- phase: expand
-- Adds one column for what was typed in every step of an enrolment. The release before goes on with its column a step:
-- until those are dropped, the trigger keeps both the same.
alter table enrolment_drafts add column typed jsonb not null default '{}';

create function same_typed_in_drafts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.typed is distinct from old.typed or tg_op = 'INSERT' and new.typed <> '{}' then
    new.choice := coalesce(new.typed -> 'choice', '{}');
    new.attendees := coalesce(new.typed -> 'attendees', '{}');
    new.payer := coalesce(new.typed -> 'payer', '{}');
    new.terms := coalesce(new.typed -> 'terms', '{}');
  else
    new.typed := (new.typed - '{choice,attendees,payer,terms}'::text[]) || (
      select coalesce(jsonb_object_agg(step, fields), '{}')
      from (values ('choice', new.choice), ('attendees', new.attendees), ('payer', new.payer), ('terms', new.terms))
        as steps (step, fields)
      where fields <> '{}');
  end if;
  return new;
end
$$;

create trigger same_typed before insert or update of typed, choice, attendees, payer, terms on enrolment_drafts
  for each row execute function same_typed_in_drafts();
