import { Fragment } from 'react';
import { data, href, Link } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { readNeighbours } from '#app/features/enrolments/enrolment-list.server.ts';
import { readHappenings } from '#app/features/inbox/enrolment-timeline.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readEnrolmentForStaff } from '#app/features/study/enrolment-for-staff.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { mailsToTakeBack } from '#app/routes/staff/mails-to-take-back.server.ts';
import { isNoteForm, shownNotes, takeNoteAct } from '#app/routes/staff/note-acts.server.ts';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { DropMenu } from '#app/ui/staff/drop-menu.tsx';
import { NoteField, OwnNote, type ShownNote } from '#app/ui/staff/notes.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TakeBack } from '#app/ui/staff/take-back.tsx';
import { Timeline, type TimelineDay, TimelineFilter } from '#app/ui/staff/timeline.tsx';
import { ActLink, EmailText, TextLink } from '#app/ui/staff/typography.tsx';
import { Unbroken, unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/enrolment';
import { takeEnrolmentAct } from './enrolment-acts.server.ts';
import { enrolmentLabels } from './enrolment-labels.ts';
import { enrolmentList, enrolmentStates } from './enrolment-list.tsx';
import { Money } from './money.tsx';
import { PeopleSection } from './people-section.tsx';
import { type ShownEnrolment, shownEnrolment } from './shown-enrolment.server.ts';
import { byDay, happeningsOf } from './timeline.ts';
import { Walk, type WalkTo } from './walk.tsx';

/**
 * The way back to the list that an enrolment was opened from, and along it (P78): `list` is that list's query, as the
 * address of the page carries it; without one there is no list to walk.
 */
async function readWalk(
  db: Db,
  actor: StaffActor,
  { id }: { id: number },
  { list, today }: { list: string | null; today: Day },
): Promise<WalkTo> {
  if (list === null) return { list: { to: enrolmentList.path, text: 'Enrolments' }, previous: null, next: null };
  const view = enrolmentList.viewOf(new URLSearchParams(list));
  const { previous, next } = await readNeighbours(db, actor, id, view, today);
  const to = (reference: string | null) =>
    reference && `${href('/staff/enrolments/:reference', { reference })}?${new URLSearchParams({ list })}`;
  const state = view.values.state ? enrolmentStates[view.values.state] : 'Enrolments';
  const text = view.search ? `Found by “${view.search}”` : state;
  return { list: { to: enrolmentList.to(view, {}), text }, previous: to(previous), next: to(next) };
}

/** How much of the timeline is shown at first. */
const happeningsShown = 60;

export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const list = url.searchParams.get('list');
  const read = await unlessDatabaseAway(async () => {
    const whole = await readEnrolmentForStaff(academy.db, actor, reference, moment);
    if (!whole) return null;
    const happened = await readHappenings(academy.db, whole.enrolment, actor, moment.now);
    const waiting = await mailsToTakeBack(academy.db, actor, { kind: 'enrolment', id: whole.enrolment.id }, moment.now);
    return {
      whole,
      happened,
      waiting,
      walk: await readWalk(academy.db, actor, whole.enrolment, { list, ...moment }),
    };
  });
  if (!read) throw data(`No enrolment has the reference ${reference}. It may have been deleted.`, { status: 404 });
  const { whole, happened, waiting, walk } = read;
  const all = happeningsOf(happened, whole);
  const who = (['buyer', 'staff', 'program'] as const).find((one) => one === url.searchParams.get('who')) ?? null;
  const wanted = all.filter((one) => who === null || one.who === who);
  const shown = url.searchParams.has('all') ? wanted : wanted.slice(-happeningsShown);
  return {
    ...shownEnrolment(whole),
    walk,
    waiting,
    query: url.search,
    opens: url.searchParams.get('do'),
    who,
    count: all.length,
    hidden: wanted.length - shown.length,
    days: byDay(shown, moment.today),
    notes: shownNotes(happened.notes),
    form: blankStaffForm(whole.history.seen),
  };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'notes:write');
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const result = isNoteForm(form)
    ? await takeNoteAct(academy, {
        form,
        subject: `enrolment:${reference}`,
        actor,
      })
    : await takeEnrolmentAct(academy, { form, reference, actor });
  return answerForm(result, `${href('/staff/enrolments/:reference', { reference })}${keptQuery(request)}`);
}

/** The list that the page was reached from stays in its address. */
function keptQuery(request: Request): string {
  const list = new URL(request.url).searchParams.get('list');
  return list ? `?${new URLSearchParams({ list })}` : '';
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ params }) => staffMeta(params.reference ?? 'Enrolment');

export default function Enrolment({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { reference, buyer, places, seesNeeds } = loaderData;
  return (
    <>
      <Walk walk={loaderData.walk} />
      <PageHead title={<span className="wrap-anywhere">{buyer}</span>}>
        <Acts enrolment={loaderData} form={form} />
      </PageHead>
      <HeadSentence enrolment={loaderData} />
      <WhoMay needs="enrolments:change" />
      <ErrorSummary form={form} labels={enrolmentLabels} formId={`${form.values.act}-form`} />
      <TakeBack mails={loaderData.waiting} form={form} needs="enrolments:change" />
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-8">
          <PeopleSection reference={reference} places={places} seesNeeds={seesNeeds} />
          <Money key={loaderData.form.values.seen} enrolment={loaderData} form={form} opens={loaderData.opens} />
          <BuyerSection enrolment={loaderData} />
        </div>
        <HappeningsSection data={loaderData} form={form} />
      </div>
    </>
  );
}

/** The acts, most used first. */
function Acts({
  enrolment,
  form,
}: {
  enrolment: Route.ComponentProps['loaderData'];
  form: Route.ComponentProps['loaderData']['form'];
}) {
  const { reference, places, canRemind } = enrolment;
  const here = href('/staff/enrolments/:reference', { reference });
  const menu = 'flex min-h-9 items-center px-3 hover:bg-hover max-md:min-h-11';
  return (
    <>
      <OnlyWith permission="money:record">
        <Link to={`${here}?do=payment#payment`} className={enrolment.balanceCents > 0 ? button.primary : button.quiet}>
          Record a payment
        </Link>
      </OnlyWith>
      <OnlyWith permission="enrolments:change">
        {places.some(({ active }) => active) && (
          <Link to={href('/staff/enrolments/:reference/add', { reference })} className={button.quiet}>
            Add a person
          </Link>
        )}
        <DropMenu
          button="More"
          label="More acts"
          className={`${button.quiet} flex cursor-pointer items-center`}
          float="right-0 mt-1 w-60 overflow-hidden py-1"
        >
          {canRemind && (
            <Link to={href('/staff/enrolments/:reference/remind', { reference })} className={menu}>
              Send a reminder
            </Link>
          )}
          <Link to={href('/staff/enrolments/:reference/buyer', { reference })} className={menu}>
            Correct the buyer
          </Link>
          {places.some(({ active }) => active) && (
            <Link to={href('/staff/enrolments/:reference/cancel', { reference })} className={menu}>
              Cancel places
            </Link>
          )}
          <ActForm act="links" form={form} needs="enrolments:change" className="border-t border-line px-3 py-2">
            <p className="mb-2 text-sm text-mute">
              We email new private links to the addresses of this enrolment. Earlier links keep working.
            </p>
            <button type="submit" className={button.quiet}>
              Send new links
            </button>
          </ActForm>
        </DropMenu>
      </OnlyWith>
    </>
  );
}

/** A sentence that sums up an enrolment; its figures link to their details. */
function HeadSentence({ enrolment }: { enrolment: ShownEnrolment }) {
  const { people, courses, balanceCents, owed, dueBy, unnamed } = enrolment;
  return (
    <p className="-mt-2 mb-6 text-base/6">
      {people === 0 ? (
        'No active place'
      ) : (
        <TextLink to="#people">{people === 1 ? '1 person' : `${people} people`}</TextLink>
      )}
      {courses.map(({ key, text, to }, at) => (
        <Fragment key={key}>
          {at === 0 ? ' on ' : ', and '}
          {to ? <TextLink to={to}>{text}</TextLink> : <Unbroken text={text} />}
        </Fragment>
      ))}
      . {balanceCents === 0 && <TextLink to="#money">Nothing owed</TextLink>}
      {balanceCents > 0 && (
        <>
          <TextLink to="#money">{owed}</TextLink> owed{' '}
          {dueBy ? (
            <span className={dueBy.late ? 'font-semibold text-fault' : ''}>{unbroken(dueBy.text)}</span>
          ) : (
            ', not due yet'
          )}
        </>
      )}
      {balanceCents < 0 && (
        <span className="font-semibold text-fault">
          <TextLink to="#money">{owed}</TextLink> to refund
        </span>
      )}
      .{' '}
      {unnamed > 0 && (
        <span className="font-semibold text-fault">
          <TextLink to="#people">{unnamed === 1 ? '1 name missing' : `${unnamed} names missing`}</TextLink>.
        </span>
      )}
    </p>
  );
}

/** The buyer, the payer and the accepted terms. */
function BuyerSection({ enrolment }: { enrolment: ShownEnrolment }) {
  const { reference, facts, others, termsId, placed, email } = enrolment;
  const rows: (readonly [string, React.ReactNode])[] = [
    ...facts.map(
      ([label, text]) => [label, label === 'Email' ? <EmailText key="email">{text}</EmailText> : text] as const,
    ),
    ['Placed', placed],
    [
      'Other enrolments',
      others > 0 ? (
        <TextLink key="others" to={`${enrolmentList.path}?${new URLSearchParams({ search: email })}`}>
          {others}
        </TextLink>
      ) : (
        'none'
      ),
    ],
    [
      'Terms',
      <TextLink key="terms" to={href('/staff/terms/:id', { id: termsId })}>
        as accepted
      </TextLink>,
    ],
  ];
  return (
    <Section
      title="Buyer"
      end={
        <OnlyWith permission="enrolments:change">
          <ActLink to={href('/staff/enrolments/:reference/buyer', { reference })}>Correct</ActLink>
        </OnlyWith>
      }
    >
      <dl className="grid gap-x-8 pt-2 sm:grid-cols-2">
        {rows.map(([label, value]) => (
          <div key={label} className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 py-1">
            <dt className="text-mute">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

type Props = {
  data: {
    query: string;
    who: 'buyer' | 'staff' | 'program' | null;
    count: number;
    hidden: number;
    days: readonly TimelineDay[];
    notes: readonly ShownNote[];
  };
  form: FormState;
};

const names = [
  ['buyer', 'Buyer'],
  ['staff', 'Staff'],
  ['program', 'Program'],
] as const;

/** The timeline of buyer, staff and program, latest first, with the field for a note. */
function HappeningsSection({ data: { query, who, count, hidden, days, notes }, form }: Props) {
  const to = (name: string, value: string | null) => {
    const params = new URLSearchParams(query);
    if (value === null) params.delete(name);
    else params.set(name, value);
    return `?${params}`;
  };
  return (
    <Section
      title="What happened"
      id="happened"
      end={
        <TimelineFilter
          all={{ to: to('who', null), count }}
          each={names.map(([one, text]) => ({ who: one, text, to: to('who', one) }))}
          shown={who}
        />
      }
    >
      <NoteField key={`${form.values.seen} ${count}`} form={form} />
      <Timeline
        days={days}
        none="Nothing of this kind has happened yet."
        below={(key) => {
          const note = notes.find(({ id }) => key === `note-${id}`);
          return note && <OwnNote note={note} form={form} />;
        }}
      />
      {hidden > 0 && (
        <p className="mt-2 ml-26">
          <Link to={to('all', '1')} className="font-semibold text-link hover:underline" preventScrollReset>
            Show {hidden} earlier
          </Link>
        </p>
      )}
    </Section>
  );
}
