import { redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { chosenRowsIn } from '#app/routes/staff/lists/chosen-rows.ts';
import { type CsvColumn, csvFile, csvInstant } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/people-file';
import { everyPerson, type PersonRow, thesePeople } from './people.server.ts';
import { type PeopleColumn, peopleList } from './people-filter.ts';

const columnsOf: Record<PeopleColumn, CsvColumn<PersonRow>> = {
  name: ['Name', ({ name }) => name],
  address: ['Email', ({ email }) => email],
  phone: ['Phone', ({ phone }) => phone],
  organisation: ['Organisation', ({ organisation }) => organisation],
  bought: ['Enrolments', ({ bought }) => bought],
  attends: ['Places', ({ attends }) => attends],
  owed: ['Owed, AU$', ({ owedCents }) => dollarsFromCents(owedCents)],
  since: ['First seen', ({ since }) => csvInstant(since)],
};

/** The rows of the list of people that an address shows, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const view = peopleList.viewOf(url.searchParams);
  // Sent by the list, with boxes; an empty choice leads back to it.
  const chosen = url.searchParams.has('shown') ? chosenRowsIn(url.searchParams) : null;
  if (chosen && (chosen.all || chosen.rows.length === 0)) throw redirect(`${peopleList.path}?${chosen.list}`);
  return csvFile(academy, actor, {
    list: 'people',
    columns: view.columns.map((column) => columnsOf[column]),
    pieces: chosen ? thesePeople(academy.db, actor, chosen.rows) : everyPerson(academy.db, actor, view),
    filters: chosen ? 'chosen' : peopleList.queryOf(view).toString(),
  });
}
