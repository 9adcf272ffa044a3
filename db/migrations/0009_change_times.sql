-- When what a public page shows last changed, for the sitemap and the feed of new courses; null for records from before,
-- whose last change nobody recorded.
create function record_change_time() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;

do $$
declare name text;
begin
  foreach name in array array['courses', 'certifications', 'training_sessions', 'site_content'] loop
    execute format('alter table %I add column changed_at timestamptz', name);
    execute format('create trigger time_of_creation before insert on %I
      for each row execute function record_change_time()', name);
    execute format('create trigger time_of_change before update on %I
      for each row when (old.* is distinct from new.*) execute function record_change_time()', name);
  end loop;
end $$;
