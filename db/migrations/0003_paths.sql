-- What a course prepares for, builds on and leads to; codes of the document 'exams' and slugs of courses. Names that
-- lead nowhere any more are passed over by readers, so that a course can be retired without editing its neighbours.
alter table courses
  add column exams text[] not null default '{}',
  add column needs text[] not null default '{}',
  add column leads_to text[] not null default '{}';

-- A catalogue imported before these documents existed has none of either until its next import.
insert into site_documents (name, body)
select name, '[]'
from unnest(array['questLines', 'exams']) as name
where exists (select from catalogue_state where imported_at is not null);
