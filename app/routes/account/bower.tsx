import { href, Link, redirect } from 'react-router';
import { BowerHead } from '#app/features/bower/bower-head.tsx';
import { chooseAvenue, showBower, withdrawBower } from '#app/features/bower/commands.server.ts';
import { readBowerSettings } from '#app/features/bower/queries.server.ts';
import { Shelf } from '#app/features/bower/shelf.tsx';
import { showBowerOf } from '#app/features/bower/view.server.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { xpEntriesOf, xpOfPerson } from '#app/features/progress/records.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { busyText, orAway, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { blankForm, type FormWords, giveBack, takeForm } from '#app/http/take-form.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/bower';
import { BowerChoices } from './bower-choices.tsx';
import { entryInWords, XpEntries } from './xp-entries.tsx';

const entriesShown = 20;

/** A player's own bower (P63), with every XP entry and its record (P62). */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { person } = playerFor(context);
  const { db } = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const before = Number(url.searchParams.get('before'));
  return orAway(async () => {
    const settings = await readBowerSettings(db, person.id);
    const bower = await showBowerOf(db, { personId: person.id, avenue: settings.avenue, view: 'own' }, snapshot);
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
      settings,
      done: dones[url.searchParams.get('done') ?? ''] ?? null,
    };
  });
}

const dones: Partial<Record<string, string>> = {
  shown: 'Your bower is public now.',
  private: 'Only you can see your bower now. Its address leads nowhere.',
  avenue: 'Saved. It is in the middle now.',
};

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText('the change', twiceIsHarmless),
  busy: busyText('What you wrote is still below.'),
};

/** Shows the bower at a name, takes it back, or puts another treasure in the middle. Sent twice, it is the same. */
export async function action({ context, request }: Route.ActionArgs) {
  const { person } = playerFor(context);
  const academy = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const { now } = momentOf(academy);
  const form = await readForm(request);
  const result = await takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const done = await academy.db.transaction().execute(async (trx): Promise<{ done: string } | { fault: string }> => {
      if (values.act === 'show') {
        const shown = await showBower(
          trx,
          { personId: person.id, ownName: person.name, typed: values.name ?? '' },
          now,
        );
        return shown.ok ? { done: 'shown' } : { fault: shown.fault };
      }
      if (values.act === 'withdraw') {
        await withdrawBower(trx, person.id);
        return { done: 'private' };
      }
      if (values.act !== 'avenue') return { fault: words.unreadable };
      const { finished } = (await showBowerOf(trx, { personId: person.id, avenue: null, view: 'own' }, snapshot))
        .records;
      const chosen = finished.find(({ slug }) => slug === values.avenue);
      if (!chosen) return { fault: 'This course is not among your treasures any more. Choose another one.' };
      await chooseAvenue(trx, person.id, chosen.slug);
      return { done: 'avenue' };
    });
    if ('done' in done) return { ok: true as const, ...done };
    return refuse(409, values.act === 'show' ? { errors: { name: done.fault } } : done.fault);
  });
  if (result.ok) throw redirect(`${href('/account/bower')}?done=${result.done}`, 303);
  return giveBack(result);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta = () => [{ title: 'Your bower | Bowerbird Academy' }];

const formId = 'bower';
const noFault = blankState();
function blankState() {
  return { values: {}, errors: {}, fault: null, heading: 'Nothing was changed' as const, token: '' };
}

export default function OwnBower({ loaderData, actionData }: Route.ComponentProps) {
  const { sentence, shelf, underWay, lines, notBegun, xp, entries, older, settings, done, ...figures } = loaderData;
  const form = actionData?.form ?? noFault;
  const file = (wanted: string) => href('/account/bower/:file', { file: wanted });
  return (
    <div className="on-satin bg-satin text-on-satin">
      <BowerHead
        {...figures}
        title="Your bower"
        lead={<p>Every straw is an hour you studied. Every treasure is a course you finished.</p>}
        picture={{ wide: file('wide.svg'), tall: file('tall.svg'), sentence }}
      />
      <div className="page grid gap-12 pt-6 pb-16">
        {done && !actionData && (
          <p role="status" className="font-semibold">
            {done}
          </p>
        )}
        <ErrorSummary form={form} labels={{ name: 'Name' }} formId={formId} />
        {(shelf.length > 0 || underWay.length > 0) && <Shelf items={shelf} underWay={underWay} own />}
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
            <BowerChoices settings={settings} treasures={shelf} form={form} formId={formId} />
          </div>
        </div>
      </div>
    </div>
  );
}
