import { data, href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { DetailPage } from '#app/ui/staff/detail.tsx';
import { Facts, History, Panel, Pill, Table, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/enrolment';
import { takeEnrolmentAct } from './enrolment-acts.server.ts';
import { enrolmentLabels } from './enrolment-labels.ts';
import { readEnrolmentForStaff } from './enrolment-page.server.ts';
import { Money } from './money.tsx';
import { shownEnrolment } from './shown-enrolment.server.ts';

export async function loader({ context, params: { reference } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const academy = context.get(academyContext);
  const whole = await orAway(() => readEnrolmentForStaff(academy.db, actor, reference, momentOf(academy)));
  if (!whole) throw data(`No enrolment has the reference ${reference}. It may have been deleted.`, { status: 404 });
  return { ...shownEnrolment(whole), entries: whole.history.entries, form: blankStaffForm(whole.history.seen) };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const form = await readForm(request);
  const result = await takeEnrolmentAct(context.get(academyContext), { form, reference, actor });
  return answerForm(result, href('/staff/enrolments/:reference', { reference }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ params }) => staffMeta(params.reference ?? 'Enrolment');

type Data = Route.ComponentProps['loaderData'];

export default function Enrolment({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { reference, title, buyer, places, balanceCents, placed, facts, terms } = loaderData;
  return (
    <DetailPage
      back={{ to: href('/staff/enrolments'), text: 'Enrolments' }}
      title={buyer}
      pill={<Balance cents={balanceCents} />}
      line={
        <>
          {title} <span className="tabular">{reference}</span>, {placed}
        </>
      }
      form={form}
      labels={enrolmentLabels}
      needs="enrolments:change"
      about="About this enrolment"
      aside={
        <>
          <Facts
            facts={[
              ...facts,
              [
                'Accepted terms of',
                <TextLink key="terms" to={href('/staff/terms/:id', { id: terms.id })}>
                  {terms.from}
                </TextLink>,
              ],
            ]}
          />
          <Changes reference={reference} places={places} />
          <Links form={form} />
        </>
      }
    >
      <PlacesPanel reference={reference} places={places} />
      <Money key={loaderData.form.values.seen} enrolment={loaderData} form={form} />
      <Mails mails={loaderData.mails} />
      <History entries={loaderData.entries} />
    </DetailPage>
  );
}

function Changes({ reference, places }: Pick<Data, 'reference' | 'places'>) {
  return (
    <OnlyWith permission="enrolments:change">
      <nav aria-label="Change this enrolment" className="flex flex-wrap gap-3">
        <Link to={href('/staff/enrolments/:reference/buyer', { reference })} className={button.quiet}>
          Correct the buyer
        </Link>
        {places.some(({ cancelled }) => !cancelled) && (
          <Link to={href('/staff/enrolments/:reference/cancel', { reference })} className={button.quiet}>
            Cancel places
          </Link>
        )}
      </nav>
    </OnlyWith>
  );
}

function Balance({ cents }: { cents: number }) {
  if (cents === 0) return <Pill look="over">Nothing owed</Pill>;
  if (cents < 0) return <Pill look="alarm">{`${formatMoney(-cents)} to refund`}</Pill>;
  return <Pill look="open">{`${formatMoney(cents)} owed`}</Pill>;
}

function PlacesPanel({ reference, places }: { reference: string; places: Data['places'] }) {
  return (
    <Panel title="Places">
      <Table head={['Who', 'What', 'Price', 'State']} label="Places">
        {places.map(
          ({
            id,
            attendeeId,
            who,
            email,
            notes,
            course,
            when,
            session,
            amount,
            discount,
            state,
            active,
            dated,
            undated,
          }) => (
            <tr key={id} className={active ? '' : 'text-mute'}>
              <td>
                <div className="font-bold">{who}</div>
                {email && <div className="break-all">{email}</div>}
                {notes.map((note) => (
                  <div key={note}>{note}</div>
                ))}
                {active && (
                  <OnlyWith permission="enrolments:change">
                    <TextLink
                      to={href('/staff/enrolments/:reference/attendees/:attendeeId', {
                        reference,
                        attendeeId: String(attendeeId),
                      })}
                    >
                      Change
                    </TextLink>
                  </OnlyWith>
                )}
              </td>
              <td>
                {course}
                <div>
                  {session ? <TextLink to={href('/staff/sessions/:slug', { slug: session })}>{when}</TextLink> : when}
                </div>
                {active && (dated || undated) && (
                  <OnlyWith permission="enrolments:change">
                    <TextLink
                      to={href('/staff/enrolments/:reference/places/:placeId/transfer', {
                        reference,
                        placeId: String(id),
                      })}
                    >
                      {dated ? 'Move to another date' : 'Give it a date'}
                    </TextLink>
                  </OnlyWith>
                )}
              </td>
              <td>
                {amount}
                {discount && <div>{discount}</div>}
              </td>
              <td>{state}</td>
            </tr>
          ),
        )}
      </Table>
    </Panel>
  );
}

function Mails({ mails }: { mails: Data['mails'] }) {
  return (
    <Panel title="Emails">
      {mails.length === 0 ? (
        <p className="text-mute">None is kept.</p>
      ) : (
        <Table head={['When', 'To', 'About', 'Result']} label="Emails">
          {mails.map(({ id, at, to, subject, became, failed }) => (
            <tr key={id}>
              <td>{at}</td>
              <td className="break-all">{to}</td>
              <td>{subject}</td>
              <td>{failed ? <TextLink to={href('/staff/mail')}>{became}</TextLink> : became}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Links({ form }: { form: FormState }) {
  return (
    <ActForm act="links" form={form} needs="enrolments:change" className="grid gap-2" submit="Send new links">
      <p className="text-sm text-mute">
        We email new private links to the addresses of this enrolment. Earlier links keep working.
      </p>
    </ActForm>
  );
}
