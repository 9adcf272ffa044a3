import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { chosenIn } from '#app/routes/staff/lists/chosen.ts';
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

/** The rows of the list of enrolments that an address shows, or those that were ticked, as CSV (P78, P79). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const view = enrolmentList.viewOf(url.searchParams);
  const today = academyToday(academy.clock);
  const chosen = url.searchParams.has('row') ? chosenIn(url.searchParams) : null;
  return csvFile(academy, actor, {
    list: 'enrolments',
    columns: view.columns.flatMap((column) => columnsOf[column]),
    pieces: chosen ? theseEnrolments(academy.db, actor, chosen, today) : everyEnrolment(academy.db, actor, view, today),
    filters: chosen ? 'chosen' : enrolmentList.queryOf(view).toString(),
  });
}
