import type { ReactNode } from 'react';
import { data, href } from 'react-router';
import { courseListPrefix } from '#app/features/enrolments/waiting/board.server.ts';
import { stateLabels as chatStates } from '#app/features/inbox/conversations/states.ts';
import { stateLabels as enquiryStates } from '#app/features/inbox/enquiries/inbox.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { isFreshStaff, staffFor } from '#app/features/people/staff-only.server.ts';
import { findPerson } from '#app/features/reports/person.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { isNoteForm, shownNotes, takeNoteAct } from '#app/routes/staff/note-acts.server.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { isOfNotes, Notes } from '#app/ui/staff/notes.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Facts, Panel, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/person';
import { EndLogins } from './end-logins.tsx';
import { takeRoleForm } from './role-acts.server.ts';

/** A person as the page shows them. */
function shownPerson(person: NonNullable<Awaited<ReturnType<typeof findPerson>>>) {
  const owedCents = person.enrolments.reduce((sum, { balanceCents }) => sum + Math.max(0, balanceCents), 0);
  return {
    id: String(person.id),
    name: showControlCharacters(person.name ?? person.email ?? 'No name'),
    otherNames: person.names.filter((name) => name !== person.name).map(showControlCharacters),
    addresses: person.addresses.map(({ email, verifiedAt }) => ({
      email: showControlCharacters(email),
      proved: verifiedAt !== null,
    })),
    phones: person.phones.map((phone) => showControlCharacters(shownPhone(phone))),
    organisations: person.organisations.map(showControlCharacters),
    owed: owedCents > 0 ? `${formatExact(owedCents)} incl. GST` : null,
    roles: person.roles.map(({ role }) => role),
    account: person.accountSince && formatMoment(person.accountSince),
    since: formatMoment(person.since),
    enrolments: person.enrolments.map((row) => ({
      reference: row.reference,
      title: row.title,
      at: formatMoment(row.placed_at),
      owed: row.balanceCents === 0 ? null : formatExact(row.balanceCents),
    })),
    places: person.places.map((place) => ({
      id: place.id,
      title: place.title,
      reference: place.reference,
      courseDate: place.courseDate,
      isOff: place.state === 'cancelled',
      when:
        place.startsOn && place.endsOn
          ? formatDays(place.startsOn, place.endsOn)
          : place.guidedFrom
            ? `From ${formatDay(place.guidedFrom)}`
            : 'The next date',
    })),
    enquiries: person.enquiries.map(({ reference, kind, at, state }) => ({
      reference,
      kind,
      at: formatMoment(at),
      state: enquiryStates[state as keyof typeof enquiryStates],
    })),
    bookings: person.bookings.map((booking) => ({ ...booking, at: formatMoment(booking.at) })),
    chats: person.chats.map(({ id, at, state }) => ({
      id: String(id),
      at: formatMoment(at),
      state: chatStates[state as keyof typeof chatStates],
    })),
    waiting: person.waiting.map(({ id, title, course, courseDate, at, closedAt, seats }) => ({
      id,
      title,
      list: courseDate ?? courseListPrefix + course,
      at: formatMoment(at),
      seats,
      isOver: closedAt !== null,
    })),
    certificates: person.certificates.map((one) => ({ ...one, at: formatMoment(one.at) })),
    consents: person.consents.map(({ address, wording, at }) => ({
      address: showControlCharacters(address),
      wording,
      at: formatMoment(at),
    })),
  };
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'people:read');
  const { db, clock } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const person = await findPerson(db, actor, idOf(params.id));
    return person && { person, notes: await readNotes(db, { kind: 'person', id: person.id }, actor, clock.now()) };
  });
  if (!found)
    throw data('There is nobody here. If they were a customer, their data may have been deleted.', { status: 404 });
  const { person, notes } = found;
  return { ...shownPerson(person), notes: shownNotes(notes), fresh: isFreshStaff(context), form: blankStaffForm(0) };
}

const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'notes:write');
  const form = await readForm(request);
  const id = idOf(params.id);
  const result = isNoteForm(form)
    ? await takeNoteAct(context.get(academyContext), {
        form,
        subject: `person:${id}`,
        actor,
      })
    : await takeRoleForm(context, { form, actor: staffFor(context, 'staff:grant'), member: null, personId: id });
  return answerForm(result, href('/staff/people/:id', { id: params.id }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.name ?? 'Person');

export default function Person({ loaderData: person, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? person.form;
  return (
    <>
      <Back to={href('/staff/people')}>People</Back>
      <PageHead title={person.name} beside={person.owed && `Owes ${person.owed}`} />
      {isOfNotes(form) && <ErrorSummary form={form} labels={{ note: 'Note' }} formId="note-form" />}
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-8">
          <Records title="Enrolments bought" none="None." rows={person.enrolments} keyOf={({ reference }) => reference}>
            {({ reference, title, at, owed }) => (
              <>
                <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                <span>{title}</span>
                <span className="text-mute">
                  {owed && <b className="block font-semibold whitespace-nowrap text-ink">{owed} owed</b>}
                  <span className="whitespace-nowrap">{at}</span>
                </span>
              </>
            )}
          </Records>
          <Records title="Places" none="Attends nothing." rows={person.places} keyOf={({ id }) => id}>
            {({ title, reference, courseDate, when, isOff }) => (
              <>
                <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                <span>
                  {title}
                  {isOff && <span className="text-mute">, cancelled</span>}
                </span>
                <span className="text-mute">
                  {courseDate ? (
                    <TextLink to={href('/staff/course-dates/:slug', { slug: courseDate })}>{when}</TextLink>
                  ) : (
                    when
                  )}
                </span>
              </>
            )}
          </Records>
          <Records title="Certificates" rows={person.certificates} keyOf={({ number }) => number}>
            {({ number, title, state, at }) => (
              <>
                <TextLink to={href('/staff/certificates/:number', { number })}>{inFours(number)}</TextLink>
                <span>{title}</span>
                <span className="text-mute">
                  {at}
                  {state !== 'issued' && `, ${state}`}
                </span>
              </>
            )}
          </Records>
          <Records title="Waiting lists" rows={person.waiting} keyOf={({ id }) => id}>
            {({ title, list, at, seats, isOver }) => (
              <>
                <TextLink to={href('/staff/waiting/:courseDate', { courseDate: list })}>{title}</TextLink>
                <span>{seats === 1 ? '1 seat' : `${seats} seats`}</span>
                <span className="text-mute">
                  {at}
                  {isOver && ', over'}
                </span>
              </>
            )}
          </Records>
          <Records title="Messages" rows={person.enquiries} keyOf={({ reference }) => reference}>
            {({ reference, kind, at, state }) => (
              <>
                <TextLink to={href('/staff/enquiries/:reference', { reference })}>{reference}</TextLink>
                <span>
                  {kind}, {state}
                </span>
                <span className="text-mute">{at}</span>
              </>
            )}
          </Records>
          <Records title="Chats" rows={person.chats} keyOf={({ id }) => id}>
            {({ id, at, state }) => (
              <>
                <TextLink to={href('/staff/conversations/:id', { id })}>Chat {id}</TextLink>
                <span>{state}</span>
                <span className="text-mute">{at}</span>
              </>
            )}
          </Records>
          <Records title="Bookings" rows={person.bookings} keyOf={({ reference }) => reference}>
            {({ reference, kind, at, cancelled }) => (
              <>
                <TextLink to={href('/staff/bookings/:reference', { reference })}>{reference}</TextLink>
                <span>{kind}</span>
                <span className="text-mute">
                  {at}
                  {cancelled && ', cancelled'}
                </span>
              </>
            )}
          </Records>
        </div>
        <aside aria-label="About this person" className="grid gap-8">
          <About person={person} />
          <Notes key={person.notes.length} notes={person.notes} form={form} />
          {person.account && (
            <EndLogins
              form={isOfNotes(form) ? person.form : form}
              fresh={person.fresh}
              to={href('/staff/people/:id', { id: person.id })}
            />
          )}
        </aside>
      </div>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function About({ person }: { person: Data }) {
  return (
    <>
      <Facts
        facts={[
          ['Also named', person.otherNames.join(', ')],
          [
            'Email',
            person.addresses.map(({ email, proved }) => `${email}${proved ? '' : ' (not confirmed)'}`).join(', '),
          ],
          ['Phone', person.phones.join(', ')],
          ['Organisation', person.organisations.join(', ')],
          ['First seen', person.since],
          ['Account since', person.account],
          ['Role', person.roles.join(', ')],
        ]}
      />
      {person.consents.length > 0 && (
        <Panel title="Agreed to marketing">
          <ul className="grid gap-2 text-sm">
            {person.consents.map(({ address, wording, at }) => (
              <li key={address}>
                {address}, {at}: "{wording}"
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

type RecordsProps<Row> = {
  title: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The sentence when there are none; without it the part is left out. */
  none?: string;
  children: (row: Row) => ReactNode;
};

/** Records of one kind: title with link, description and time of each. */
function Records<Row>({ title, rows, keyOf, none, children }: RecordsProps<Row>) {
  if (rows.length === 0 && !none) return null;
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <p className="text-mute">{none}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li
              key={keyOf(row)}
              className="grid gap-x-4 border-b border-line py-1.5 sm:grid-cols-[11rem_minmax(0,1fr)_15rem] sm:[&>:last-child]:text-right"
            >
              {children(row)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
