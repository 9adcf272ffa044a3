import { redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { chosenRowsIn } from '#app/routes/staff/lists/chosen-rows.ts';
import { type CsvColumn, csvFile, csvInstant } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/enrolments-file';
import { type EnrolmentColumn, enrolmentList } from './enrolment-filter.ts';
import { type EnrolmentRow, everyEnrolment, theseEnrolments } from './enrolments.server.ts';

const columnsOf: Record<EnrolmentColumn, readonly CsvColumn<EnrolmentRow>[]> = {
  number: [['Number', ({ reference }) => reference]],
  buyer: [
    ['Buyer', ({ buyer }) => buyer],
    ['Email', ({ email }) => email],
    ['Organisation', ({ organisation }) => organisation],
  ],
  course: [
    ['Course', ({ course }) => course],
    ['Delivery', ({ delivery }) => delivery && deliveryText(delivery)],
  ],
  starts: [['Starts', ({ startsOn }) => startsOn]],
  places: [['Places', ({ places }) => places]],
  total: [['Invoiced, AU$', ({ totalCents }) => dollarsFromCents(totalCents)]],
  owed: [
    ['Owed, AU$', ({ owedCents }) => dollarsFromCents(owedCents)],
    ['Due', ({ dueOn }) => dueOn],
  ],
  remark: [['To know', ({ remark }) => remark?.text ?? null]],
  enrolled: [['Enrolled', ({ enrolledAt }) => csvInstant(enrolledAt)]],
};

/** The rows of the list of enrolments that an address shows, or those that were ticked, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const today = academyToday(academy.clock);
  // Sent by the list, with boxes.
  const chosen = url.searchParams.has('shown') ? chosenRowsIn(url.searchParams) : null;
  const view = enrolmentList.viewOf(chosen ? new URLSearchParams(chosen.list) : url.searchParams);
  const rows = chosen?.all === false ? chosen : null;
  if (rows?.rows.length === 0) throw redirect(enrolmentList.address({ ...view, cursor: null }));
  return csvFile(academy, actor, {
    list: 'enrolments',
    columns: view.columns.flatMap((column) => columnsOf[column]),
    pieces: rows ? theseEnrolments(academy.db, actor, rows, today) : everyEnrolment(academy.db, actor, view, today),
    filters: rows ? 'chosen' : enrolmentList.queryOf(view).toString(),
  });
}
