-- phase: expand
-- Adds one column for what was typed in every step of an enrolment, and one for the long parts of a course. The release
-- before goes on with a column each; until those are dropped, the triggers keep both the same.

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

alter table courses add column details jsonb not null default '{}';

create function same_details_of_courses() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.details is distinct from old.details or tg_op = 'INSERT' and new.details <> '{}' then
    new.overview := new.details ->> 'overview';
    new.objectives := array(select jsonb_array_elements_text(new.details -> 'objectives'));
    new.curriculum := new.details -> 'curriculum';
    new.prerequisites := array(select jsonb_array_elements_text(new.details -> 'prerequisites'));
    new.credential := new.details ->> 'credential';
  else
    new.details := new.details || jsonb_build_object('overview', new.overview, 'objectives', new.objectives,
      'curriculum', new.curriculum, 'prerequisites', new.prerequisites, 'credential', new.credential);
  end if;
  return new;
end
$$;

create trigger same_details before insert or update of details, overview, objectives, curriculum, prerequisites, credential
  on courses for each row execute function same_details_of_courses();
