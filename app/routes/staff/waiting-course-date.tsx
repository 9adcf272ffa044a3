import { data, href } from 'react-router';
import { readBoard, readSeen, takeWaitingAct } from '#app/features/enrolments/waiting/board.server.ts';
import { preferencesText } from '#app/features/enrolments/waiting/rules.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { field, select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm, ButtonText, OnlyWith, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { ChooseAll, ChooseBar, ChooseRow, type Choosing, useMayChoose } from '#app/ui/staff/choose.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/waiting-course-date';
import { staffMeta } from './frame/staff-meta.ts';

export async function loader({ context, params: { courseDate: name } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'waiting:read');
  const { db, clock } = context.get(academyContext);
  const { board, seenOf } = await unlessDatabaseAway(async () => {
    const read = await readBoard(db, actor, name, { today: academyToday(clock), at: clock.now() });
    const references = (read?.entries ?? []).map(({ reference }) => reference);
    return { board: read, seenOf: await readSeen(db, actor, references) };
  });
  if (!board) throw data('There is no such course date or course.', { status: 404 });
  const { courseDate } = board;
  return {
    title: board.course.title,
    date: courseDate ? formatDays(courseDate.startsOn, courseDate.endsOn) : 'The next date',
    seats: courseDate && {
      capacity: courseDate.capacity,
      sold: courseDate.sold,
      kept: courseDate.capacity - courseDate.sold - courseDate.free,
      free: courseDate.free,
    },
    gains: board.gains,
    courseDates: board.courseDates.map(({ id, startsOn, endsOn, free }) => ({
      id,
      text: `${formatDays(startsOn, endsOn)}, ${free} free`,
      current: id === courseDate?.id,
    })),
    form: blankStaffForm(0),
    entries: board.entries.map((entry) => ({
      id: entry.id,
      seen: seenOf(entry.reference),
      reference: entry.reference,
      name: showControlCharacters(entry.name),
      email: showControlCharacters(entry.email),
      phone: shownPhone(entry.phone),
      seats: entry.seats,
      joined: formatMoment(entry.joinedAt),
      list: entry.bought ? 'bought, waiting for a date' : entry.ofCourse ? 'for the next date' : 'for this date',
      suits: preferencesText(entry.preferences),
      confirmed: entry.confirmed,
      why: showControlCharacters(entry.why),
      closed: entry.closedAt !== null,
      offered: entry.offer !== null && entry.offer.endedAt === null,
      paused: entry.pausedAt !== null,
      bought: entry.bought,
    })),
  };
}

export async function action({ context, request, params: { courseDate } }: Route.ActionArgs) {
  const actor = staffFor(context, 'waiting:change');
  const result = await takeWaitingAct(context.get(academyContext), { form: await readForm(request), actor });
  return answerForm(result, href('/staff/waiting/:courseDate', { courseDate }));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Waiting list');

type Data = Route.ComponentProps['loaderData'];
type Entry = Data['entries'][number];

export default function WaitingCourseDate({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, date, seats, gains, entries, courseDates, form: fresh } = loaderData;
  const open = entries.filter(({ closed }) => !closed);
  const closed = entries.filter((entry) => entry.closed);
  const refused = actionData?.form ?? null;
  const choosing = {
    list: params.courseDate,
    shown: open.map(({ reference }) => reference),
    all: null,
    acts: [
      { to: href('/staff/bulk-actions/message/:list', { list: 'waiting' }), text: 'Write to them', needs: 'mail:send' },
      { to: href('/staff/:list.csv', { list: 'waiting' }), text: 'Export as CSV', needs: 'lists:export' },
    ],
  } satisfies Choosing;
  const mayChoose = useMayChoose(choosing) && open.length > 0;
  return (
    <>
      <Back to={href('/staff/waiting')}>Waiting lists</Back>
      <PageHead
        title={title}
        beside={`${date}${seats ? `: ${seats.sold} of ${seats.capacity} sold, ${seats.kept} held or offered, ${seats.free} free` : ''}`}
      />
      <WhoMay needs="waiting:change" what="change the list" />
      {refused && open.every(({ reference }) => reference !== refused.values.entry) && (
        <p role="alert" className="mt-4 font-semibold text-fault">
          {faultOf(refused)}
        </p>
      )}
      <div className="grid gap-8">
        {gains.length > 0 && (
          <Section title="Who would get more seats">
            <ul className="tabular mt-2 list-disc pl-5">
              {gains.map(({ more, entries: served, seats: filled }) => (
                <li key={more}>
                  {more === 1 ? '1 seat' : `${more} seats`} more: {served === 1 ? '1 entry' : `${served} entries`} with{' '}
                  {filled === 1 ? '1 seat' : `${filled} seats`} offered
                </li>
              ))}
            </ul>
          </Section>
        )}
        <Section title="Waiting, in order">
          {open.length === 0 && <p className="pt-2 text-mute">Nobody is waiting.</p>}
          {mayChoose && (
            <div className="flex flex-wrap items-center gap-x-4 pt-2">
              <ChooseAll choosing={choosing} inWords />
              <ChooseBar choosing={choosing} />
            </div>
          )}
          <ol>
            {open.map((entry, at) => (
              <li key={entry.id} className="flex gap-3 border-b border-line py-2">
                {mayChoose && <ChooseRow value={entry.reference} label={`${entry.name}, ${entry.reference}`} />}
                <div className="min-w-0 grow">
                  <Facts entry={entry} position={at + 1} />
                  <OnlyWith permission="waiting:change">
                    <Acts entry={entry} courseDates={courseDates} form={refused ?? fresh} />
                  </OnlyWith>
                </div>
              </li>
            ))}
          </ol>
        </Section>
        {closed.length > 0 && (
          <Section title="Closed within 30 days">
            <ul>
              {closed.map((entry) => (
                <li key={entry.id} className="border-b border-line py-2">
                  <Facts entry={entry} position={null} />
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </>
  );
}

const faultOf = ({ fault, errors }: FormState) => fault ?? Object.values(errors)[0];

function Facts({ entry, position }: { entry: Entry; position: number | null }) {
  return (
    <div className="grid min-w-0 gap-x-6 gap-y-1 lg:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,4fr)]">
      <p className="break-words">
        <b>
          {position !== null && `${position}. `}
          {entry.name}
        </b>{' '}
        <a href={`mailto:${entry.email}`} className="text-mute underline decoration-edge underline-offset-3">
          {entry.email}
        </a>
        {entry.phone && (
          <>
            {' '}
            <a
              href={`tel:${entry.phone.replaceAll(' ', '')}`}
              className="tabular whitespace-nowrap text-mute underline decoration-edge underline-offset-3"
            >
              {entry.phone}
            </a>
          </>
        )}
      </p>
      <p className="tabular text-sm text-mute">
        {entry.reference}, {entry.seats === 1 ? '1 seat' : `${entry.seats} seats`}, {entry.list}
        {entry.suits && `, ${entry.suits}`}, joined {entry.joined}
        {!entry.confirmed && ', not confirmed yet'}
      </p>
      <p className="break-words text-sm">{entry.why}</p>
    </div>
  );
}

function Acts({ entry, courseDates, form }: { entry: Entry; courseDates: Data['courseDates']; form: FormState }) {
  const id = `entry-${entry.id}`;
  const isRefused = form.values.entry === entry.reference;
  const seen = String(Math.max(entry.seen, isRefused ? Number(form.values.seen) : 0));
  const words = [
    !entry.offered && courseDates.length > 0 && 'offer seats',
    entry.offered && 'withdraw the offer',
    entry.paused && 'put it back',
    !entry.bought && 'take off the list',
  ].filter((word) => word !== false);
  if (words.length === 0) return null;
  const text = words.join(' or ');
  const act = (name: string, text: string, look?: 'danger') => (
    <SendButton name="act" value={name} look={look}>
      {text}
    </SendButton>
  );
  return (
    <details open={isRefused}>
      <summary className="flex min-h-7 w-fit items-center gap-1.5 font-semibold text-link">
        <Sign name="down" className="size-4 shrink-0" />
        <ButtonText about={`: ${entry.name}`}>{text.charAt(0).toUpperCase() + text.slice(1)}</ButtonText>
      </summary>
      {isRefused && (
        <p role="alert" className="mt-2 font-semibold text-fault">
          {faultOf(form)}
        </p>
      )}
      <ActForm
        act={null}
        form={{ ...form, values: { ...form.values, seen } }}
        needs="waiting:change"
        carries={{ entry: entry.reference }}
        className="mt-2 mb-2 flex flex-wrap items-end gap-3"
      >
        <label htmlFor={`${id}-reason`} className="grid grow basis-60 gap-1 text-sm">
          Reason, needed for an offer (only staff see it)
          <input
            id={`${id}-reason`}
            name="reason"
            maxLength={500}
            defaultValue={isRefused ? form.values.reason : ''}
            className={field}
          />
        </label>
        {!entry.offered && courseDates.length > 0 && (
          <>
            <label htmlFor={`${id}-course-date`} className="grid min-w-0 basis-72 gap-1 text-sm">
              Date
              <select
                id={`${id}-course-date`}
                name="courseDate"
                defaultValue={courseDates.find(({ current }) => current)?.id}
                className={select}
              >
                <Options of={courseDates.map(({ id: value, text }) => [value, text])} />
              </select>
            </label>
            <label htmlFor={`${id}-seats`} className="grid w-24 gap-1 text-sm">
              Seats
              <input
                id={`${id}-seats`}
                name="seats"
                type="number"
                min={1}
                max={entry.bought ? entry.seats : 20}
                defaultValue={entry.seats}
                className={field}
              />
            </label>
            {act('offer', 'Offer by hand')}
          </>
        )}
        {entry.offered && act('withdraw', 'Withdraw the offer', 'danger')}
        {entry.paused && act('resume', 'Put it back in its turn')}
        {!entry.bought && act('remove', 'Take off the list', 'danger')}
      </ActForm>
    </details>
  );
}
