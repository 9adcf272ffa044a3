import { data, href, Link } from 'react-router';
import { readHistory } from '#app/audit/history.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, zoneAbbreviation } from '#app/lib/wall-clock.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { SessionPill } from '#app/routes/staff/frame/session-pill.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { actionInWords } from '#app/routes/staff/history.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { DetailPage } from '#app/ui/staff/detail.tsx';
import { Facts, History, TextLink } from '#app/ui/staff/parts.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/session';
import { takeSessionAct } from './session-acts.server.ts';
import { BelowMinimum, Quote, Resize, WayInForm } from './session-forms.tsx';
import { sessionLabels } from './session-labels.ts';
import { Attendees, Holds, Movements } from './session-lists.tsx';
import { readAttendees, readSeats } from './session-people.server.ts';
import { findSession } from './sessions.server.ts';

const purposes: Record<string, string> = { enrolment: 'somebody enrolling', offer: 'an offer', quote: 'a quote' };
const kinds: Record<string, string> = { hold: 'Held', release: 'Released', sale: 'Sold', cancellation: 'Given back' };

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:read');
  const { db, clock } = context.get(academyContext);
  const found = await orAway(async () => {
    const session = await findSession(db, actor, slug, academyToday(clock));
    if (!session) return null;
    const { holds, movements } = await readSeats(db, session.id);
    const history = await readHistory(db, `training-session:${slug}`, actionInWords);
    return {
      session,
      holds,
      movements,
      history,
      attendees: actor.can.has('attendees:read') ? await readAttendees(db, actor, session.id) : null,
    };
  });
  if (!found) throw data(`There is no session ${slug}.`, { status: 404 });
  const { session, holds, movements, history, attendees } = found;
  const mayChange = actor.can.has('sessions:change');
  const seesEnrolments = actor.can.has('enrolments:read');
  return {
    session,
    mayChange,
    entries: history.entries,
    attendees: attendees?.map((attendee) => ({
      id: attendee.id,
      name: showControlCharacters(attendee.name ?? ''),
      email: showControlCharacters(attendee.email ?? ''),
      buyer: showControlCharacters(attendee.organisation ?? attendee.buyer_name),
      reference: seesEnrolments ? attendee.reference : null,
      notes: [
        attendee.needs ? `Needs: ${showControlCharacters(attendee.needs)}` : null,
        attendee.under_18 && `Under 18, guardian ${showControlCharacters(attendee.guardian_name ?? '')}`,
        attendee.choose_by && `Chooses until ${formatDay(attendee.choose_by)}`,
        actor.can.has('money:read') && attendee.owes && 'Unpaid',
      ].filter((note) => typeof note === 'string'),
    })),
    holds: holds.map(({ id, seats, purpose, made_at, expires_at, extended, label }) => ({
      id,
      seats,
      what: `For ${purposes[purpose]}${label && seesEnrolments ? `: ${showControlCharacters(label)}` : ''}`,
      when: `since ${formatMoment(made_at)}, ${expires_at ? `until ${formatMoment(expires_at)}` : 'without an end'}${
        extended > 0 ? `, extended ${extended} times` : ''
      }`,
      // An offer is withdrawn with its mail and its place in the list, not by taking its seats.
      releasable: mayChange && purpose !== 'offer',
    })),
    movements: movements.map(({ id, kind, seats, at, reference, purpose, ended, label }) => ({
      id,
      at: formatMoment(at),
      what: kinds[kind] ?? kind,
      seats: Math.abs(seats),
      reference: seesEnrolments ? reference : null,
      why: purpose
        ? `${kind === 'release' && ended ? `${ended}, ` : ''}for ${purposes[purpose]}${label && seesEnrolments ? ` (${showControlCharacters(label)})` : ''}`
        : '',
    })),
    form: blankStaffForm(history.seen),
  };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'sessions:change');
  const result = await takeSessionAct(context.get(academyContext), { form: await readForm(request), slug, actor });
  return answerForm(result, href('/staff/sessions/:slug', { slug }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `${loaderData.session.title}, ${loaderData.session.days}` : 'Session');

type Data = Route.ComponentProps['loaderData'];

export default function Session({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { session, entries, attendees, mayChange } = loaderData;
  const { slug } = session;
  return (
    <DetailPage
      back={{ to: href('/staff/sessions'), text: 'Sessions' }}
      title={session.title}
      pill={<SessionPill session={session} />}
      line={
        <span className="tabular">
          {session.days}, {session.where}
        </span>
      }
      form={form}
      labels={sessionLabels}
      needs="sessions:change"
      first={<BelowMinimum session={session} form={form} />}
      about="About this session"
      aside={
        <>
          <SessionFacts session={session} />
          {mayChange && <Changes session={session} />}
          {session.state !== 'cancelled' && mayChange && (
            <div key={loaderData.form.values.seen} className="grid gap-8">
              {session.standing !== 'done' && <WayInForm session={session} form={form} />}
              <Resize session={session} form={form} />
              <p>
                <TextLink to={href('/staff/waiting/:session', { session: slug })}>
                  Who is waiting, and who would get more seats
                </TextLink>
              </p>
              <Quote form={form} />
            </div>
          )}
        </>
      }
    >
      {attendees && <Attendees slug={slug} attendees={attendees} />}
      {session.state !== 'cancelled' && (
        <OnlyWith permission="certificates:issue">
          <p>
            <TextLink to={href('/staff/sessions/:slug/certificates', { slug })}>Certificates</TextLink>
          </p>
        </OnlyWith>
      )}
      <Holds holds={loaderData.holds} form={form} />
      <Movements movements={loaderData.movements} />
      <History entries={entries} />
    </DetailPage>
  );
}

function SessionFacts({ session }: { session: Data['session'] }) {
  const zone = zoneAbbreviation(session.zone, session.startDate);
  return (
    <Facts
      facts={[
        [
          'Seats',
          `${session.sold} sold, ${session.held} held, ${session.offered} offered, ${session.left} left of ${session.capacity}`,
        ],
        ['Status', `${session.decision}. Minimum ${session.minimum}.`],
        ...(session.state === 'tentative' && session.decidedBy
          ? [['Decided by', formatDay(session.decidedBy)] as const]
          : []),
        ...(session.chargedCents !== null
          ? [
              [
                'Money',
                `${formatMoney(session.chargedCents)}, ${session.unpaid} ${session.unpaid === 1 ? 'enrolment' : 'enrolments'} unpaid`,
              ] as const,
            ]
          : []),
        ['Time', `${formatTime(session.startsAt)} to ${formatTime(session.endsAt)} ${zone}`],
        ['Instructor', session.instructor],
        ['Enrolment ends', formatDay(session.enrolmentEnds)],
        [
          'Public page',
          <TextLink key="public" to={href('/training-calendar/:sessionId', { sessionId: session.slug })}>
            The session’s page
          </TextLink>,
        ],
      ]}
    />
  );
}

function Changes({ session: { slug, state, standing } }: { session: Data['session'] }) {
  if (state === 'cancelled' || standing === 'done') return null;
  return (
    <nav aria-label="Change this session" className="flex flex-wrap gap-3">
      {state === 'tentative' && (
        <Link to={href('/staff/sessions/:slug/:change', { slug, change: 'confirm' })} className={button.primary}>
          Confirm it
        </Link>
      )}
      {standing !== 'running' && (
        <Link to={href('/staff/sessions/:slug/move', { slug })} className={button.quiet}>
          Change it
        </Link>
      )}
      <Link to={href('/staff/sessions/:slug/:change', { slug, change: 'cancel' })} className={button.quiet}>
        Cancel it
      </Link>
    </nav>
  );
}
