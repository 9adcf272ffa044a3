import { href, redirectDocument } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/waiting-write';
import { blankStaffForm } from './act.server.ts';
import { staffMeta } from './frame/staff-meta.ts';
import { type Chosen, chosenIn, chosenQuery } from './lists/chosen.ts';
import { chosenAddressees } from './runs/chosen-addressees.server.ts';
import { usualMessage } from './runs/compose.tsx';
import { answerMessage, takeMessage } from './runs/take-message.server.ts';
import { WriteToChosen } from './runs/write-to-chosen.tsx';

export async function loader({ context, params: { session }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'waiting:read');
  const chosen = chosenIn(url.searchParams);
  if (url.searchParams.get('act') === 'export') {
    throw redirectDocument(`${href('/staff/waiting.csv')}?${chosenQuery({ ...chosen, list: '' })}`);
  }
  const ids = await orAway(() => entriesOf(context.get(academyContext).db, actor, chosen));
  if (ids.length === 0) {
    return { session, line: 'Nobody is chosen. Go back to the list and tick some.', to: null };
  }
  return {
    session,
    line: `To ${ids.length === 1 ? '1 person who waits' : `${ids.length} people who wait`}.`,
    to: `${href('/staff/waiting/:session/write', { session })}?${chosenQuery(chosen)}`,
    form: blankStaffForm(0, usualMessage('waiting')),
  };
}

/** The ids of the entries that were chosen. */
async function entriesOf(db: Db, actor: StaffActor, chosen: Chosen): Promise<readonly number[]> {
  demand(actor, 'waiting:read');
  if (chosen.all) return [];
  const rows = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('reference', 'in', ['', ...chosen.rows])
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function action({ context, request, params: { session }, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const chosen = chosenIn(url.searchParams);
  const addressees = chosenAddressees({
    subject: 'list:waiting',
    of: 'waiting',
    idsOf: (db) => entriesOf(db, actor, chosen),
  });
  const taken = await takeMessage(context.get(academyContext), { form: await readForm(request), actor, addressees });
  return answerMessage(taken, href('/staff/waiting/:session', { session }));
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Write to those chosen');

const groups = [['waiting', 'People on the waiting list']] as const;

/** Staff write to those whom they chose on a waiting list (P79). */
export default function WriteToWaiting({ loaderData, actionData }: Route.ComponentProps) {
  const { session, line, to, form } = loaderData;
  return (
    <WriteToChosen
      back={{ to: href('/staff/waiting/:session', { session }), text: 'Waiting list' }}
      line={line}
      writing={to !== null && form ? { to, form, groups } : null}
      answer={actionData}
    />
  );
}
