import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { everyRow, type Keyset, listedPage } from '#app/db/keyset.server.ts';
import { phoneFits } from '#app/db/phone-fits.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { ListView } from '#app/ui/staff/list-address.ts';

type PeopleView = ListView<{ readonly kind: 'account' | 'staff' | null }, 'newest' | 'address'>;

const pageLength = 50;

/**
 * One page of people, with where it stands. Every word of the search must begin a word of one record that names the
 * person: name, address, organisation; or the search is a telephone number in any spelling, or its beginning.
 */
export async function listPeople(db: Db, actor: StaffActor, view: PeopleView) {
  requirePermission(actor, 'people:read');
  const set = peopleKeyset(view);
  const reading = { ...view, length: pageLength };
  const { rows, ...page } = await listedPage(db, set, reading, (ids) => readPeopleRows(db, ids));
  return { people: rows, ...page };
}

/** All rows of a view, in pieces, for a file. */
export async function* everyPerson(db: Db, actor: StaffActor, view: PeopleView) {
  requirePermission(actor, 'people:read');
  yield* everyRow(db, peopleKeyset(view), view, (ids) => readPeopleRows(db, ids));
}

/** The rows of the people whose ids were ticked, for a file. */
export async function* thesePeople(db: Db, actor: StaffActor, keys: readonly string[]) {
  requirePermission(actor, 'people:read');
  const ids = keys.flatMap((key) => (/^\d{1,15}$/.test(key) ? Number(key) : []));
  yield await readPeopleRows(db, ids);
}

function peopleKeyset({ search, values, sort }: PeopleView): Keyset {
  const named = namedBy(search);
  return {
    from: sql`people`,
    ...(sort === 'address' ? { key: sql`people.email`, kind: 'text' } : { key: sql`people.id`, kind: 'whole' }),
    id: sql`people.id`,
    unique: true,
    where: [
      ...(named ? [sql`people.id in (select person_id from person_words where ${named})`] : []),
      ...(sort === 'address' ? [sql`people.email is not null`] : []),
      ...(values.kind === 'staff' ? [sql`people.id in (select person_id from staff_roles)`] : []),
      ...(values.kind === 'account' ? [sql`people.id in (select person_id from players)`] : []),
    ],
  };
}

/** What names the people whom a search finds; null without words. */
function namedBy(search: string): RawBuilder<boolean> | null {
  // A number from six digits on, as the database normalises it (phone_word).
  if (/^[+\d\s()./-]+$/.test(search) && search.replaceAll(/\D/g, '').length >= 6) return phoneFits(search);
  return wordsFit(search);
}

/** The rows of the list of people, in the order of the ids. Amounts in cents. */
export async function readPeopleRows(db: Db, ids: readonly number[]) {
  const { rows } = await sql<PersonRow>`select people.id, coalesce(people.name, bought.buyer_name, (
      select name from attendees where person_id = people.id and name is not null order by id desc limit 1), (
      select concat_ws(' ', first_name, last_name) from enquiries where person_id = people.id order by id desc limit 1), (
      select name from bookings where person_id = people.id order by id desc limit 1), (
      select name from waiting_entries where person_id = people.id order by id desc limit 1), (
      select name from conversations where person_id = people.id and name is not null order by id desc limit 1)) as name,
    people.email, people.created_at as since, bought.organisation,
    coalesce(bought.phone, (
      select phone from enquiries where person_id = people.id and phone is not null order by id desc limit 1)) as phone,
    (select count(*)::integer from enrolments where person_id = people.id) as bought,
    (select count(*)::integer from attendees join places on attendee_id = attendees.id
      where person_id = people.id and state <> 'cancelled') as attends,
    (select coalesce(sum(balance_cents), 0)::bigint from enrolment_list
      join enrolments on enrolments.id = enrolment_id
      where person_id = people.id and balance_cents > 0) as "owedCents"
    from unnest(${[...ids]}::bigint[]) with ordinality as wanted (id, position)
      join people using (id)
      left join lateral (select buyer_name, organisation, phone from enrolments
        where person_id = people.id order by id desc limit 1) as bought on true
    order by position`.execute(db);
  return rows;
}

export type PersonRow = {
  id: number;
  name: string | null;
  email: string | null;
  since: Date;
  organisation: string | null;
  phone: string | null;
  /** Enrolments bought. */
  bought: number;
  /** Places that are not cancelled. */
  attends: number;
  owedCents: number;
};
