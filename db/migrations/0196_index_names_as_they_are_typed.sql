-- phase: backfill
-- transaction: none
-- Indexes again the names of before that 0195 finds by other spellings; all others are as they were. Five hundred rows at
-- a time: whoever changes one of them waits for these, and not for a million (P93).
do $$
declare
  -- Names that somebody may type otherwise. To ask other_spellings takes twenty times as long.
  spelled constant text := '[^ -~]|[[:alpha:]][''-][[:alpha:]]';
  from_table text;
  names text;
  others text;
  at bigint;
  piece bigint[];
begin
  for from_table, names, others in values
    ('enrolments', 'buyer_name, email, organisation, phone_word(phone)', 'purchase_order'),
    ('attendees', 'name, email', 'null'),
    ('people', 'name, (select string_agg(email, '' '') from person_emails where person_id = its.id)', 'null'),
    ('enquiries', 'first_name, last_name, email, phone_word(phone)', 'null'),
    ('bookings', 'name, email', 'null'),
    ('conversations', 'name, email', 'null'),
    ('waiting_entries', 'name, email', 'null')
  loop
    at := 0;
    loop
      execute format(
        'select max(id), array_agg(id order by id) filter (where concat_ws('' '', %s, %s) ~ $1)
          from (select * from %I where id > $2 order by id limit 500) as its',
        names, others, from_table) into at, piece using spelled, at;
      exit when at is null;
      if from_table = 'enrolments' then
        perform index_enrolment(id) from unnest(piece) as id order by id;
      elsif from_table = 'attendees' then
        perform index_enrolment(enrolment_id)
        from (select distinct enrolment_id from attendees where id = any(piece) order by enrolment_id) as named;
      end if;
      commit;
      -- Whoever changes one of these names has committed before it is read below, or writes its words after this.
      perform from person_words where person_words.source = from_table and source_id = any(piece)
        order by source_id for no key update;
      execute format(
        'update person_words set words = person_tsvector(%s) from %I its
          where source = %L and source_id = its.id and its.id = any($1)',
        names, from_table, from_table) using piece;
      commit;
    end loop;
  end loop;
end $$;
