import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';

/**
 * Fills a database that holds the academy's courses and no enrolment with `count` enrolments as so many years leave them:
 * ten to a course date, one to three people each, most of them paid. Written in bulk, without triggers, by the owner of
 * the tables. For measuring only: these enrolments have neither seats nor mails. The same on every call.
 */
export async function writeManyEnrolments(owner: Db, count: number, today: Day, years = 25): Promise<void> {
  await owner.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db);
    await sql`set maintenance_work_mem = '256MB'`.execute(db);
    await sql`set work_mem = '64MB'`.execute(db);
    // Word by word into an index takes ten times as long as making it afterwards.
    const indexes = await dropWordIndexes(db);
    for (const statement of statements(count, today, years)) await statement.execute(db);
    for (const table of filled) await sql`analyze ${sql.table(table)}`.execute(db);
    await listed.execute(db);
    await sql`set session_replication_role = origin`.execute(db);
    await words.execute(db);
    for (const definition of indexes) await sql.raw(definition).execute(db);
  });
  for (const table of filled) await sql`vacuum analyze ${sql.table(table)}`.execute(owner);
}

/** What the triggers of each record write of its words. */
const words = sql`insert into person_words (source, source_id, person_id, words)
select 'people', id, id, words_of(name, (select string_agg(email, ' ') from person_emails where person_id = id))
from people where name is not null or exists (select from person_emails where person_id = people.id)
union all
select 'enrolments', id, person_id, words_of(buyer_name, email, organisation, phone_word(phone))
from enrolments where person_id is not null
union all
select 'attendees', id, person_id, words_of(name, email) from attendees where person_id is not null
union all
select 'enquiries', id, person_id, words_of(first_name, last_name, email, phone_word(phone))
from enquiries where person_id is not null
union all
select 'bookings', id, person_id, words_of(name, email) from bookings where person_id is not null
union all
select 'conversations', id, person_id, words_of(name, email) from conversations where person_id is not null
union all
select 'waiting_entries', id, person_id, words_of(name, email) from waiting_entries where person_id is not null
on conflict do nothing`;

/** Drops the indexes of words, and returns how they are made. */
async function dropWordIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('enrolment_list', 'person_words') and indexdef like '%USING gin%'`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  return rows.map(({ definition }) => definition);
}

/** The lists, as the program writes them, a thousand enrolments at a time. */
const listed = sql`select count(listed) from (
  select list_enrolments(array_agg(id order by id)) as listed from (
    select id, (row_number() over (order by id) - 1) / 1000 as batch from enrolments
  ) as numbered group by batch order by batch) as batches`;

const filled = [
  ...['people', 'person_emails', 'person_words', 'course_dates', 'course_date_seats', 'enrolments', 'attendees'],
  ...['places', 'tax_invoices', 'tax_invoice_lines', 'payments', 'enrolment_list'],
];

const first = `(array['Ada','Grace','Mary','Jane','Alan','Wen','Nadia','Oliver','Nora','Ines','Daniel','Aisha','Leo','Hannah',
  'Samuel','Kiri','Lucy','Robert','Maya','Ruby','Petra','Marcus','Thomas','Callum','Priya','Hiro','Zoe','Ivan','Lena','Omar'])`;
const second = `(array['Byron','Hopper','Shelley','Austen','Turing','Zhou','Rahman','Stanhope','Darke','Caldeira','Ohlsson',
  'Karim','Marchetti','Brodie','Adeyemi','Parata','Feng','Quayle','Seneviratne','Alcott','Manning','Lindgren','Omondi',
  'Whitby','Nair','Sato','Novak','Petrov','Haddad','Okafor','Silva','Moreau','Jansen','Murphy','Kelly','Walsh','Costa'])`;

function statements(count: number, today: Day, years: number) {
  const n = sql.lit(count);
  const day = sql`${sql.lit(today)}::date`;
  const dates = sql`${n} / 10 + 1`;
  const past = sql.lit(years * 365);
  const nameOf = (id: string, salt: string) =>
    sql.raw(`${first}[1 + abs(hashint8(${id} + ${salt})) % 30] || ' ' || ${second}[1 + abs(hashint8(${id} * 7 + ${salt})) % 37]
      || case when ${id} % 3 = 0 then '' else ' ' || to_char(${id} / 3 % 3900 + 1, 'FMRN') end`);
  const person = sql`id - case when id % 5 = 4 then 1 else 0 end`;
  return [
    sql`insert into terms_versions (body) values ('Terms.') on conflict do nothing`,
    sql`create temporary table many_dates on commit preserve rows as
      select number, starts_on, course.id as course_id, course.price_cents, course.instructor_slug, course.title
      from (select number, ${day} - ${past} + ((${past} + 120) * number / (${dates}))::integer as starts_on
          from generate_series(0, ${dates}) as number) as dates
        join (select *, row_number() over (order by id) - 1 as at, count(*) over () as all_of_them from courses) as course
          on course.at = number % course.all_of_them`,
    sql`create index on many_dates (number)`,
    sql`analyze many_dates`,
    sql`insert into course_dates (id, slug, course_id, starts_on, ends_on, starts_at, ends_at, zone, delivery, venue,
        joining_link, instructor_slug, capacity, minimum, enrolment_ends_on, state, confirmed_on)
      overriding system value
      select 1000000000 + number, 'many-' || number, course_id, starts_on, starts_on + 4, '09:00', '17:00',
        'Australia/Brisbane', case when number % 3 = 0 then 'in-person' else 'online' end,
        case when number % 3 = 0 then 'Brisbane' end, 'https://class.example/many', instructor_slug, 40, 1,
        starts_on - 1, 'confirmed', starts_on - 60
      from many_dates`,
    sql`insert into course_date_seats (course_date_id, sold, held, offered)
      select 1000000000 + number, 17, 0, 0 from many_dates`,
    sql`create temporary table many as
      select id, many_dates.*, 1 + (id % 10 > 6)::integer + (id % 10 = 9)::integer as places,
        least((starts_on - 3 - (abs(hashint8(id)) % 60)::integer)::timestamp + id % 86400 * interval '1 second',
          ${day}::timestamp - (id % 90000) * interval '1 second') at time zone 'Australia/Brisbane' as placed_at,
        case when starts_on > ${day} then abs(hashint8(id + 3)) % 3 = 0 else abs(hashint8(id + 3)) % 150 = 0 end as owes
      from generate_series(1::bigint, ${n}) as id join many_dates on number = id / 10`,
    sql`analyze many`,
    sql`insert into people (id, email, created_at) overriding system value
      select 1000000000 + id, 'buyer' || id || '@example' || id % 5000 || '.com', placed_at
      from many where ${person} = id`,
    sql`insert into person_emails (email, person_id, verified_at)
      select email, id, created_at from people where id > 1000000000`,
    sql`insert into enrolments (id, reference, title, buyer_name, email, mailbox, phone, payer, organisation, terms_id,
        placed_at, changed_at, person_id) overriding system value
      select 1000000000 + id, (select 'BB-' || string_agg(substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ',
            1 + (((id * 7919) >> (5 * at)) & 31)::integer, 1), '') from generate_series(0, 5) as at),
        title, ${nameOf('id', '1')}, 'buyer' || ${person} || '@example' || (${person}) % 5000 || '.com',
        'buyer' || ${person} || '@example' || (${person}) % 5000 || '.com', '07 7' || lpad((id % 10000000)::text, 7, '0'),
        case when id % 4 = 0 then 'organisation' else 'person' end,
        case when id % 4 = 0 then ${sql.raw(`${second}[1 + id % 37]`)} || ' Freight ' || id % 3000 end,
        (select min(id) from terms_versions), placed_at, placed_at,
        1000000000 + ${person}
      from many`,
    sql`insert into attendees (id, enrolment_id, name, email, mailbox, person_id) overriding system value
      select 10000000000 + id * 4 + at, 1000000000 + id,
        case when at = 1 then ${nameOf('id', '1')} when starts_on > ${day} and id % 11 = 0 then null else ${nameOf('id', '5')} end,
        null, null, case when at = 1 then 1000000000 + ${person} end
      from many, generate_series(1, places) as at`,
    sql`insert into places (id, enrolment_id, attendee_id, course_id, way, course_date_id, state, price_cents,
        placed_at, cancelled_why, cancelled_at) overriding system value
      select 10000000000 + id * 4 + at, 1000000000 + id, 10000000000 + id * 4 + at, course_id, 'date',
        1000000000 + number, case when id % 40 = 0 then 'cancelled' else 'active' end, price_cents, placed_at,
        case when id % 40 = 0 then 'buyer' end, case when id % 40 = 0 then placed_at end
      from many, generate_series(1, places) as at`,
    sql`insert into tax_invoices (id, number, enrolment_id, issued_on, total_cents, gst_cents, facts, created_at)
      overriding system value
      select 1000000000 + id, 1000000 + id, 1000000000 + id, placed_at::date, places * price_cents,
        places * price_cents / 11, jsonb_build_object('number', 'INV-' || (1000000 + id), 'dueOn', placed_at::date + 14),
        placed_at
      from many`,
    sql`insert into tax_invoice_lines (tax_invoice_id, position, place_id, description, amount_cents, gst_cents)
      select 1000000000 + id, at, 10000000000 + id * 4 + at, title, price_cents, price_cents / 11
      from many, generate_series(1, places) as at`,
    sql`insert into payments (id, enrolment_id, amount_cents, received_on, method, source, recorded_at)
      overriding system value
      select 1000000000 + id, 1000000000 + id, places * price_cents / case when id % 97 = 0 then 2 else 1 end,
        placed_at::date + 7, case when id % 50 = 0 then 'other' when id % 2 = 0 then 'card' else 'bank' end, 'many:' || id,
        placed_at
      from many where not owes`,
    sql`drop table many, many_dates`,
  ];
}
