import { useEffect, useState } from 'react';
import { data, href, useNavigate } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type ClassDay, readClassDay } from '#app/features/study/classes.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatTime, zoneAbbreviation } from '#app/lib/wall-clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton, WhoElse, WhoMay } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/class';
import { CannotCome, Days, Dock, MarksAsText, OlderDay, TapsState } from './class-parts.tsx';
import { markInWords } from './mark-texts.ts';
import { answerClassForm } from './marking-forms.server.ts';
import { type Taps, useTaps } from './use-taps.ts';

type DayShown = Pick<ClassDay, 'day' | 'people'> & {
  /** Today by the phone's clock, when the page is of an earlier day and shows it; otherwise null. */
  later: Day | null;
  /** Shows `later`, on which nobody is marked as far as this page knows. */
  takeLater: () => void;
};

/**
 * The day of a class that its page shows. A page that was left open overnight without a network still has the day
 * before, so the phone's clock decides whether that is today (P59). Once the network is back, the page of the day that
 * was chosen is read.
 */
function useDayShown({ courseDate, today, day, people }: ClassDay): DayShown {
  const [phoneDay, setPhoneDay] = useState(today);
  const [chosen, setChosen] = useState<Day | null>(null);
  const navigate = useNavigate();
  const { zone } = courseDate;
  useEffect(() => {
    // Not `dayIn`, which every page would load with the names of months.
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    const look = () => setPhoneDay(format.format());
    look();
    const timer = setInterval(look, 60_000);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [zone]);
  useEffect(() => {
    if (chosen === null || chosen > today) return;
    setChosen(null);
    void navigate(`?day=${chosen}`, { replace: true, preventScrollReset: true });
  }, [chosen, today, navigate]);

  const shown = chosen ?? day;
  return {
    day: shown,
    people: shown === day ? people : people.map((person) => ({ ...person, ...unmarked })),
    later: phoneDay > today && shown === today ? phoneDay : null,
    takeLater: () => setChosen(phoneDay),
  };
}

const unmarked = { mark: null, minutesLate: 0, minutesLeftEarly: 0, cannotCome: null };

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const asked = { slug, day: url.searchParams.get('day'), today: academyToday(clock), now: clock.now() };
  const found = await unlessDatabaseAway(() => readClassDay(db, actor, asked));
  if (!found) throw data(`There is no class ${slug}.`, { status: 404 });
  return {
    ...found,
    personId: actor.person.id,
    marks: actor.can.has('attendance:mark'),
    corrects: actor.can.has('attendance:correct'),
    form: blankStaffForm(0),
  };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'attendance:mark');
  return answerClassForm(context.get(academyContext), { form: await readForm(request), slug, actor });
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `${loaderData.courseDate.title}, ${formatDay(loaderData.day)}` : 'Class');

/** One day of a class on a phone: one large switch a person (P59). Without scripts it is a form. */
export default function ClassPage({ loaderData, actionData }: Route.ComponentProps) {
  const { courseDate, days, hasCome, isOver, personId, marks, corrects } = loaderData;
  const { slug } = courseDate;
  const { day, people, later, takeLater } = useDayShown(loaderData);
  const taps = useTaps({ personId, slug, day, data: people });
  const form = actionData?.form ?? loaderData.form;
  const canMark = marks && hasCome && !isOver;
  return (
    <div className="mx-auto max-w-2xl">
      <Back to={href('/staff/classes')}>Classes</Back>
      <TapsState taps={taps} people={people} />
      <h1 className="text-2xl wrap-anywhere">{courseDate.title}</h1>
      <p className="tabular mt-1 text-mute">
        {courseDate.where}, {formatTime(courseDate.startsAt)} to {formatTime(courseDate.endsAt)}{' '}
        {zoneAbbreviation(courseDate.zone, day)},{' '}
        <span className="whitespace-nowrap">
          day {days.indexOf(day) + 1} of {days.length}.
        </span>{' '}
        {courseDate.joiningLink && (
          <a href={courseDate.joiningLink} className="font-bold text-link underline underline-offset-4">
            Open the live class
          </a>
        )}
      </p>
      <Days days={days} day={day} path={href('/staff/classes/:slug', { slug })} />
      <div className="mt-4">
        <WhoMay needs="attendance:mark" what="mark attendance" />
        <ErrorSummary form={form} labels={{}} formId="save-form" />
      </div>
      {people.length === 0 ? (
        <Words>Nobody has enrolled yet.</Words>
      ) : canMark ? (
        <>
          {later && <OlderDay day={day} later={later} takeLater={days.includes(later) ? takeLater : null} />}
          <Switches day={day} people={people} taps={taps} form={form} />
        </>
      ) : (
        <>
          <p className="mb-2">
            {!hasCome
              ? 'This day has not come yet.'
              : isOver && marks && 'This class is over. Marks can be corrected with a reason by owners and admissions.'}
          </p>
          <MarksAsText people={people} hasCome={hasCome} />
        </>
      )}
      {people.length > 0 && <WhoElse needs="mail:send" can="write to everybody in this course date" />}
      <Dock
        slug={slug}
        day={day}
        fix={canMark ? 'Came late, left or absent' : marks && corrects && hasCome && isOver ? 'Correct marks' : null}
      />
    </div>
  );
}

type Data = Route.ComponentProps['loaderData'];

type SwitchesOf = Pick<Data, 'day' | 'people' | 'form'> & { taps: Taps };

function Switches({ day, people, taps, form }: SwitchesOf) {
  const shown = people.map((person) => {
    const own = taps.own.get(person.placeId);
    return own ? { ...person, mark: own.mark, minutesLate: 0, minutesLeftEarly: 0, own } : { ...person, own: null };
  });
  const here = shown.filter(({ mark }) => mark === 'present').length;
  const others = shown.filter(({ mark }) => mark === null);
  return (
    <>
      <div className="sticky top-0 z-1 flex items-center justify-between gap-3 border-b border-line bg-paper py-3">
        <p role="status">
          <b className="tabular font-display text-lg">
            {here} of {people.length}
          </b>{' '}
          here
        </p>
        <ActForm act="all" form={form} needs="attendance:mark" carries={{ day }}>
          <SendButton
            onClick={(event) => {
              if (!taps.ready) return;
              event.preventDefault();
              taps.allOthersHere(others.map(({ placeId }) => placeId));
            }}
          >
            All others here
          </SendButton>
        </ActForm>
      </div>
      <ActForm act="save" form={form} needs="attendance:mark" carries={{ day }} className="grid">
        <ul>
          {shown.map((person) => (
            <li key={person.placeId} className="border-b border-line">
              <Switch person={person} taps={taps} />
            </li>
          ))}
        </ul>
        {!taps.ready && (
          <p className="mt-4">
            <button type="submit" className={button.primary}>
              Save
            </button>
          </p>
        )}
      </ActForm>
    </>
  );
}

type Shown = Data['people'][number] & { own: { tappedMs: number } | null };

function Switch({ person, taps }: { person: Shown; taps: Taps }) {
  const { placeId, name, needs, cannotCome, mark, own } = person;
  const here = mark === 'present';
  const state = taps.ready
    ? { checked: here, onChange: () => taps.tap(placeId, here ? 'absent' : 'present') }
    : { defaultChecked: here };
  const words = mark === null || markInWords(person) === 'Here' ? '' : markInWords(person);
  return (
    <label className="grid min-h-18 cursor-pointer grid-cols-[minmax(0,1fr)_7.25rem] items-center gap-3 py-2">
      <span className="min-w-0">
        <b className="block text-lg leading-snug wrap-anywhere">{name}</b>
        {needs && <span className="block text-sm text-mute wrap-anywhere">{needs}</span>}
        <CannotCome told={cannotCome} />
        {words && <span className="block text-sm font-semibold">{words}</span>}
        {own && taps.waiting > 0 && <span className="block text-sm text-mute">kept on this phone</span>}
      </span>
      <input type="hidden" name={`was-${placeId}`} value={here ? 'here' : ''} />
      <span className="relative">
        <input
          key={String(taps.ready)}
          type="checkbox"
          name={`here-${placeId}`}
          aria-label={`${name} is here`}
          {...state}
          className="peer absolute inset-0 size-full cursor-pointer opacity-0"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none flex h-12 items-center gap-2 rounded-full border-2 border-edge px-1 text-sm font-semibold text-mute before:grid before:size-9 before:shrink-0 before:place-items-center before:rounded-full before:border-2 before:border-edge before:text-transparent before:content-['✓'] after:grow after:text-center after:content-['Not_yet'] peer-checked:flex-row-reverse peer-checked:border-action peer-checked:text-ink peer-checked:before:border-action peer-checked:before:bg-action peer-checked:before:text-white peer-checked:after:content-['Here'] peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus"
        />
      </span>
    </label>
  );
}
