import { Form, href, Link, redirect } from 'react-router';
import { playerFor } from '#app/features/people/players.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { BowerPicture } from '#app/features/study/bower/bower-picture.tsx';
import { chooseAvenue } from '#app/features/study/bower/records.server.ts';
import { type ShelfItem, showBowerOf } from '#app/features/study/bower/view.server.ts';
import { type XpEntry, xpEntriesOf, xpOfPerson } from '#app/features/study/completion.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { busyText, twiceIsHarmless, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { blankForm, type FormWords, giveBack, takeForm } from '#app/http/take-form.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { shortMonth, shortWeekday } from '#app/lib/dates.ts';
import { formatCount } from '#app/lib/money.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { TreasureMark } from '#app/ui/bower/treasure-mark.tsx';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/bower';

const entriesShown = 20;

/** A player's own bower (P63), with every XP entry and its record (P62). */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { person } = playerFor(context);
  const { db } = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const before = Number(url.searchParams.get('before'));
  return unlessDatabaseAway(async () => {
    const bower = await showBowerOf(db, person.id, snapshot);
    const entries = await xpEntriesOf(db, person.id, {
      limit: entriesShown + 1,
      before: Number.isSafeInteger(before) && before > 0 ? before : null,
    });
    const { sentence, straws, treasures, hoursPerStraw, shelf, facts, records } = bower;
    return {
      ...{ sentence, straws, treasures, hoursPerStraw, shelf },
      underWay: records.underWay.map(({ slug, title }) => {
        const place = records.places.find((one) => one.courseTitle === title && one.state === 'running');
        return { slug, title, percent: place?.percent ?? 0 };
      }),
      lines: snapshot.questLines.flatMap(({ title }, at) => {
        const point = facts.crown[at];
        return point && point.finished > 0 ? [{ title, ...point }] : [];
      }),
      notBegun: facts.crown.filter(({ finished }) => finished === 0).length,
      xp: await xpOfPerson(db, person.id),
      entries: entries.slice(0, entriesShown).map(entryInWords),
      older: entries.length > entriesShown ? (entries[entriesShown - 1]?.id ?? null) : null,
      saved: url.searchParams.has('saved'),
    };
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText('the change', twiceIsHarmless),
  busy: busyText('Choose the treasure again then.'),
};

/** Puts another treasure into the middle. Sent twice, it is the same. */
export async function action({ context, request }: Route.ActionArgs) {
  const { person } = playerFor(context);
  const { db } = context.get(academyContext);
  const form = await readForm(request);
  const result = await takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const { avenue = '' } = values;
    if (!/^[a-z0-9-]{1,100}$/.test(avenue)) return refuse(400, words.unreadable);
    await db.transaction().execute((trx) => chooseAvenue(trx, person.id, avenue));
    return { ok: true as const };
  });
  if (result.ok) throw redirect(`${href('/account/bower')}?saved`, 303);
  return giveBack(result);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => [{ title: 'Your bower | Bowerbird Academy' }];

const formId = 'avenue-form';

export default function OwnBower({ loaderData, actionData }: Route.ComponentProps) {
  const { shelf, underWay, lines, notBegun, xp, entries, older, saved } = loaderData;
  return (
    <div className="on-satin bg-satin text-on-satin">
      <Head {...loaderData} />
      <div className="page grid gap-12 pt-6 pb-16">
        {saved && !actionData && (
          <p role="status" className="font-semibold">
            Saved. It is in the middle now.
          </p>
        )}
        {actionData && <ErrorSummary form={actionData.form} labels={{}} formId={formId} />}
        {(shelf.length > 0 || underWay.length > 0) && <BowerShelf items={shelf} underWay={underWay} />}
        <div className="grid items-start gap-x-18 gap-y-12 lg:grid-cols-2">
          <section className="min-w-0">
            <h2 className="text-2xl">{formatCount(xp)} XP</h2>
            <p className="mt-2 text-on-satin-mute">
              {entries.length > 0
                ? 'Each entry names the record it came from.'
                : 'XP come with attendance that your instructor marks, with exercises they accept, and with certificates.'}
            </p>
            <XpEntries entries={entries} />
            {older !== null && (
              <p className="mt-4">
                <Link
                  to={`${href('/account/bower')}?before=${older}`}
                  className="font-bold text-on-satin underline underline-offset-4"
                >
                  Older entries
                </Link>
              </p>
            )}
          </section>
          <div className="grid min-w-0 gap-12">
            <section>
              <h2 className="text-2xl">Crown</h2>
              <p className="mt-2 text-on-satin-mute">One point for each quest line, one stone for each course.</p>
              <ul className="mt-4">
                {lines.map(({ title, courses, finished }) => (
                  <li key={title} className="flex justify-between gap-6 border-t border-satin-line py-3">
                    <b>{title}</b>
                    <span className="tabular shrink-0 text-on-satin-mute">
                      {finished >= courses ? 'finished' : `${finished} of ${courses}`}
                    </span>
                  </li>
                ))}
                <li className="border-t border-satin-line py-3 text-on-satin-mute">
                  {lines.length === 0 ? `${notBegun} quest lines, none begun yet.` : `${notBegun} more, not begun.`}
                </li>
              </ul>
            </section>
            {shelf.length > 1 && <Avenue treasures={shelf} />}
          </div>
        </div>
      </div>
    </div>
  );
}

/** The drawing with its title and figures: beside them where there is room, below them on a phone. */
function Head({
  sentence,
  straws,
  treasures,
  hoursPerStraw,
}: Pick<Route.ComponentProps['loaderData'], 'sentence' | 'straws' | 'treasures' | 'hoursPerStraw'>) {
  const file = (wanted: string) => href('/account/bower/:file', { file: wanted });
  return (
    <div className="page relative overflow-hidden">
      <div className="pt-10 md:absolute md:top-12 md:max-w-80 md:pt-0 xl:max-w-96">
        <h1 className="text-4xl text-balance wrap-anywhere sm:text-5xl">Your bower</h1>
        <p className="mt-3 text-on-satin-mute">
          Every straw is an hour you studied. Every treasure is a course you finished. Only you can see it.
        </p>
        <p className="mt-5 font-display text-2xl font-bold lg:text-4xl">
          <span className="mr-6 inline-block md:mr-0 md:block">{straws}</span>
          <span className="inline-block md:block">{treasures}</span>
        </p>
        {hoursPerStraw > 1 && (
          <p className="mt-2 text-sm text-on-satin-mute">Each straw is {hoursPerStraw} hours, for there are many.</p>
        )}
      </div>
      <BowerPicture wide={file('wide.svg')} tall={file('tall.svg')} sentence={sentence} />
    </div>
  );
}

/** The owner's choice of the treasure in the middle; the first of the list is there. */
function Avenue({ treasures }: { treasures: readonly { slug: string; title: string }[] }) {
  return (
    <Form method="post" id={formId} className="grid max-w-md gap-3">
      <h2 className="text-2xl">
        <label htmlFor="avenue">The treasure in the middle</label>
      </h2>
      <select id="avenue" name="avenue" defaultValue={treasures[0]?.slug} className={`${select} text-ink`}>
        {treasures.map(({ slug, title }) => (
          <option key={slug} value={slug}>
            {title}
          </option>
        ))}
      </select>
      <button type="submit" className={`${button.onSatin} justify-self-start`}>
        Put it in the middle
      </button>
    </Form>
  );
}

type Props = {
  items: readonly ShelfItem[];
  underWay: readonly { slug: string; title: string; percent: number }[];
};

/** The treasures of a bower as a list, and the courses under way: the drawing shows the same, this says it. */
function BowerShelf({ items, underWay }: Props) {
  return (
    <ul className="grid gap-x-10 sm:grid-cols-2 xl:grid-cols-3">
      {items.map(({ slug, title, treasure, finished, number }) => (
        <li key={slug} className="flex min-w-0 items-center gap-5 py-3">
          <TreasureMark treasure={treasure} id={`shelf-${slug}`} className="size-12 shrink-0" />
          <div className="min-w-0">
            <h2 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h2>
            <p className="text-sm text-on-satin-mute">
              {finished} ·{' '}
              <Link
                to={href('/account/certificates/:number', { number })}
                aria-label={`Certificate of ${title}`}
                className="font-bold text-on-satin underline underline-offset-4"
              >
                certificate
              </Link>
            </p>
          </div>
        </li>
      ))}
      {underWay.map(({ slug, title, percent }, at) => (
        <li key={slug} className="flex min-w-0 items-center gap-5 py-3 text-on-satin-mute">
          <span
            aria-hidden="true"
            className="size-12 shrink-0 rounded-full border border-dashed border-on-satin-mute/60"
          />
          <div className="min-w-0">
            <h2 className="font-sans text-[1.0625rem] leading-6 font-medium wrap-anywhere">{title}</h2>
            <p className="text-sm">{at === 0 ? `${percent}%, in the bird’s beak` : `${percent}%`}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** An entry of the ledger as its page says it (P62). */
type ShownEntry = { id: number; day: string; record: string; how: string; points: string };

/** Puts an entry and the record that it cites into words. */
function entryInWords({ id, at, courseTitle, points, reverses, record }: XpEntry): ShownEntry {
  const day = academyDay(at);
  return {
    id,
    day: `${shortWeekday(day)} ${Number(day.slice(8))} ${shortMonth(day)} ${day.slice(0, 4)}`,
    record: `${courseTitle}, ${whatOf(record)}`,
    how: `${reverses ? 'Corrected: ' : ''}${howOf(record)}`,
    points: points < 0 ? `−${formatCount(-points)}` : `+${formatCount(points)}`,
  };
}

function whatOf(record: XpEntry['record']): string {
  if (record.kind === 'attendance') return `day ${record.dayNumber}`;
  return record.kind === 'exercise' ? `module ${record.module}` : 'certificate';
}

function howOf(record: XpEntry['record']): string {
  if (record.kind === 'certificate') return 'The rest, with the certificate';
  const by = record.by ? ` by ${record.by}` : '';
  if (record.kind === 'exercise') return `${record.accepted ? 'Exercise accepted' : 'Exercise not accepted'}${by}`;
  const { mark, minutesLate, minutesLeftEarly } = record;
  if (mark !== 'present') return `${mark === 'absent' ? 'Absent' : 'Excused'}, marked${by}`;
  const missed = [
    minutesLate > 0 && `${minutesLate} minutes late`,
    minutesLeftEarly > 0 && `left ${minutesLeftEarly} minutes early`,
  ].filter(Boolean);
  const how = missed.length > 0 ? missed.join(', ') : 'present';
  return `${how.charAt(0).toUpperCase()}${how.slice(1)}, marked${by}`;
}

/** Entries of the ledger, the latest first. */
function XpEntries({ entries }: { entries: readonly ShownEntry[] }) {
  return (
    <ul className="tabular mt-4">
      {entries.map(({ id, day, record, how, points }) => (
        <li
          key={id}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-t border-satin-line py-3 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]"
        >
          <span className="text-sm text-on-satin-mute max-sm:col-span-2">{day}</span>
          <span className="min-w-0">
            <b className="block text-pretty wrap-anywhere">
              <Unbroken text={record} />
            </b>
            <span className="text-sm text-on-satin-mute">{how}</span>
          </span>
          <b className="text-on-satin">{points}</b>
        </li>
      ))}
    </ul>
  );
}
