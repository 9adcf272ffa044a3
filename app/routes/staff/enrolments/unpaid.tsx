import { data, Form, href, Link, redirect } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { OnlyWith, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { ChoiceCard } from '#app/ui/staff/choices.tsx';
import { DialogHead } from '#app/ui/staff/dialog.tsx';
import { Pill, TextLink, Words } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/unpaid';
import { cancelCluster, clusterDays, readUnpaid } from './clusters.server.ts';
import { clustersOf, firstOf, isJump } from './clusters.ts';
import { enrolmentList } from './enrolment-filter.ts';

/** So many enrolments are shown; the page says how many more there are. */
const mostShown = 300;

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db, clock } = context.get(academyContext);
  const unpaid = await orAway(() => readUnpaid(db, actor, clock.now()));
  const chosen = url.searchParams.getAll('enrolment');
  const shown = (enrolment: (typeof unpaid)[number]) => ({
    reference: enrolment.reference,
    buyer: showControlCharacters(enrolment.buyer),
    email: showControlCharacters(enrolment.email),
    title: enrolment.title,
    placed: formatMoment(enrolment.placedAt),
    seats: seatsText(enrolment.seats),
    owed: formatExact(enrolment.owedCents),
  });
  const { clusters, more } = firstOf(clustersOf(unpaid), mostShown);
  return {
    days: clusterDays,
    cancelled: Number(url.searchParams.get('cancelled')) || 0,
    chosen: unpaid.filter(({ reference }) => chosen.includes(reference)).map(shown),
    more,
    clusters: clusters.map(({ cluster, first }) => ({
      shared: cluster.shared.join(', '),
      jump: isJump(cluster),
      sums: `${cluster.enrolments.length} enrolments, ${seatsText(cluster.seats)}, ${formatExact(cluster.owedCents)} owed`,
      enrolments: first.map(shown),
      more: cluster.enrolments.length - first.length,
    })),
  };
}

const seatsText = (count: number) => (count === 1 ? '1 seat' : `${count} seats`);

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:refund');
  const result = await cancelCluster(context.get(academyContext), { form: await readForm(request), actor });
  if (!result.ok) return data({ ...result, left: [] }, { status: result.status });
  if (result.left.length === 0) throw redirect(`${href('/staff/unpaid')}?cancelled=${result.cancelled}`, 303);
  const fault = `${result.cancelled} of ${result.cancelled + result.left.length} were cancelled. These were not:`;
  return data({ fault, reason: '', left: result.left, stale: true }, { status: 409 });
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Unpaid seats');

type Data = Route.ComponentProps['loaderData'];

/** Three steps: choosing enrolments, reading the effects and giving a reason, cancelling. */
export default function Unpaid({ loaderData, actionData }: Route.ComponentProps) {
  const { days, cancelled, chosen, clusters, more } = loaderData;
  const refused = actionData && 'fault' in actionData ? actionData : null;
  const asks = chosen.length > 0 && !refused?.left.length;
  return (
    <>
      <DialogHead
        from={{ to: `${enrolmentList.path}?state=unpaid`, text: 'Enrolments' }}
        title="Unpaid seats"
        explains={`Enrolments of the last ${days} days that are unpaid, and that share a network or an email domain or were placed in quick succession. They may all come from one person, or from a company or a family.`}
      />
      <WhoMay needs="money:refund" what="cancel them" />
      <p role="status" className={cancelled > 0 && !refused ? 'mb-6 font-semibold' : 'sr-only'}>
        {cancelled > 0 &&
          !refused &&
          `${cancelled === 1 ? '1 is' : `${cancelled} are`} cancelled, and we email everyone concerned.`}
      </p>
      {refused && (
        <div role="alert" className="mb-6 rounded-control border border-fault bg-card p-4 text-fault">
          <p className="font-semibold">{refused.fault}</p>
          <ul className="list-disc pl-5">
            {refused.left.map(({ reference, why }) => (
              <li key={reference}>
                <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      {asks && (
        <OnlyWith permission="money:refund">
          <Confirm chosen={chosen} reason={refused?.reason ?? ''} />
        </OnlyWith>
      )}
      {!asks && clusters.length === 0 && <Words>No unpaid enrolments belong together.</Words>}
      {!asks && (
        <div className="grid gap-8">
          {clusters.map((cluster) => (
            <Cluster key={cluster.enrolments.map(({ reference }) => reference).join()} cluster={cluster} />
          ))}
          {more > 0 && <Words>{`${more} more groups are shown when these are worked off.`}</Words>}
        </div>
      )}
    </>
  );
}

function Cluster({ cluster: { shared, jump, sums, enrolments, more } }: { cluster: Data['clusters'][number] }) {
  return (
    <Form action={href('/staff/unpaid')} className="grid max-w-4xl gap-3">
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-bold">
          Share: {shared} {jump && <Pill look="alarm">Many at once</Pill>}
          <span className="tabular block font-normal text-mute">{sums}</span>
        </legend>
        {enrolments.map((enrolment) => (
          <ChoiceCard
            key={enrolment.reference}
            type="checkbox"
            name="enrolment"
            value={enrolment.reference}
            defaultChecked={jump}
          >
            <Enrolment enrolment={enrolment} />
          </ChoiceCard>
        ))}
        {more > 0 && <Words>{`${more} more of this group are shown when these are cancelled or paid.`}</Words>}
      </fieldset>
      <OnlyWith permission="money:refund">
        <div>
          <button type="submit" className={actButton.danger}>
            Cancel those ticked…
          </button>
        </div>
      </OnlyWith>
    </Form>
  );
}

function Enrolment({
  enrolment: { reference, buyer, email, title, placed, seats, owed },
}: {
  enrolment: Data['chosen'][number];
}) {
  return (
    <span className="min-w-0 break-words">
      <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink> <b>{buyer}</b>{' '}
      <span className="text-mute">{email}</span>
      <span className="tabular block text-sm text-mute">
        {title}, {seats}, {owed}, placed {placed}
      </span>
    </span>
  );
}

function Confirm({ chosen, reason }: { chosen: Data['chosen']; reason: string }) {
  const query = new URLSearchParams(chosen.map(({ reference }) => ['enrolment', reference]));
  return (
    <Form method="post" action={`${href('/staff/unpaid')}?${query}`} className="grid max-w-3xl gap-4">
      <h2 className="text-lg">
        Cancel {chosen.length === 1 ? 'this enrolment' : `these ${chosen.length} enrolments`}?
      </h2>
      <ul className="grid list-disc gap-2 pl-5">
        {chosen.map((enrolment) => (
          <li key={enrolment.reference}>
            <Enrolment enrolment={enrolment} />
            <input type="hidden" name="enrolment" value={enrolment.reference} />
          </li>
        ))}
      </ul>
      <p className="max-w-prose">
        Their seats become free at once. Each buyer gets an adjustment note for everything charged, so they owe nothing,
        and we email everyone with an address. If someone has paid by now, we do not cancel their enrolment.
      </p>
      <label className="grid gap-1">
        <span className="font-bold">Reason</span>
        <span className="text-sm text-mute">The email and the adjustment note show it.</span>
        <input name="reason" required maxLength={300} defaultValue={reason} className={field} />
      </label>
      <div className="flex flex-wrap gap-3">
        <SendButton look="danger">{chosen.length === 1 ? 'Cancel it' : `Cancel all ${chosen.length}`}</SendButton>
        <Link to={href('/staff/unpaid')} className={button.quiet}>
          Go back without changes
        </Link>
      </div>
    </Form>
  );
}
