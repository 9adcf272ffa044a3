import { href, Link } from 'react-router';
import { type AccountRecords, readAccount } from '#app/features/enrolments/account.server.ts';
import { isKept } from '#app/features/enrolments/may-change.ts';
import { preferencesText } from '#app/features/enrolments/waiting/rules.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { nameOf } from '#app/features/people/queries.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { showBowerOf } from '#app/features/study/bower/view.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { xpOfPerson } from '#app/features/study/completion.server.ts';
import { ownLiveHours } from '#app/features/study/live-hours.server.ts';
import { requirementsInShort, requirementsOf } from '#app/features/study/requirements.ts';
import { readStudies, type Study } from '#app/features/study/study.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { TreasureMark } from '#app/ui/bower/treasure-mark.tsx';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/account';
import { AccountHero } from './account-hero.tsx';
import { CourseRow, type ShownCourse } from './course-row.tsx';
import { goingOnWith } from './going-on.server.ts';
import { type Need, needsOf } from './needs.ts';
import { nextClass } from './next-class.ts';

/** The latest twelve invoices and notes of everything the player bought. */
export const documentsOf = ({ bought }: AccountRecords) =>
  bought
    .flatMap(({ enrolment, money, token }) =>
      money.documents.map((document) => {
        const open = money.open.find(({ number }) => number === document.number);
        return {
          key: document.document,
          number: document.number,
          title: enrolment.title,
          issuedOn: document.issuedOn,
          amount: `${document.kind === 'adjustment-note' ? '−' : ''}${formatMoney(document.totalCents)}`,
          state:
            document.kind === 'adjustment-note'
              ? `Adjustment note, ${shortDay(document.issuedOn)}`
              : open?.dueOn
                ? `Due ${shortDay(open.dueOn)}`
                : open
                  ? 'Not due yet'
                  : document.cancelledBy
                    ? `Cancelled by ${document.cancelledBy}`
                    : 'Paid',
          file: href('/enrolment/:token/document/:file', { token, file: `${document.number.toLowerCase()}.pdf` }),
        };
      }),
    )
    .sort((a, b) => (a.issuedOn < b.issuedOn ? 1 : -1))
    .slice(0, 12);

type Records = { bower: Awaited<ReturnType<typeof showBowerOf>>; studies: readonly Study[]; today: Day };

/** The courses under way of an account, with what their certificates ask for yet (P56, P61). */
function coursesShown(
  { attended }: AccountRecords,
  { bower, studies, today }: Records,
  { bySlug, aliases }: Pick<Snapshot, 'bySlug' | 'aliases'>,
): ShownCourse[] {
  return attended.flatMap(({ place, token }): ShownCourse[] => {
    const record = bower.records.places.find(({ placeId }) => placeId === place.id);
    if (record?.state !== 'running' || place.state === 'cancelled') return [];
    const slug = aliases.get(record.courseSlug) ?? record.courseSlug;
    const study = studies.find(({ placeId }) => placeId === place.id);
    const asked = study && place.courseDate?.state !== 'cancelled' && study.share.of > 0;
    return [
      {
        id: place.id,
        title: place.courseTitle,
        detail: detailOf(place, today),
        begun: isKept(place, today),
        asks: asked ? requirementsInShort(requirementsOf(study, { today, issued: false })) : null,
        page: href('/place/:token', { token }),
        art: bySlug.has(slug) ? href('/art/:kind/:file', { kind: 'course', file: `${slug}.svg` }) : null,
        percent: record.percent,
        xp: record.xp,
        courseXp: record.courseXp,
      },
    ];
  });
}

function detailOf(place: AccountRecords['attended'][number]['place'], today: Day): string {
  if (place.courseDate?.state === 'cancelled') return 'We had to cancel the date.';
  if (place.way === 'date') return `From ${formatDay(place.courseDate.startsOn)}, with ${place.courseDate.instructor}.`;
  if (place.way !== 'guided') return 'No date yet.';
  return isKept(place, today) || place.guidedFrom <= today
    ? `Guided study until ${formatDay(accessEndsOn(place.guidedFrom))}.`
    : `Guided study from ${formatDay(place.guidedFrom)}.`;
}

/** The account of a player (P56): next class, tasks, courses, waiting lists, certificates, invoices, bower. */
export async function loader({ context }: Route.LoaderArgs) {
  const player = playerFor(context);
  const academy = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const moment = momentOf(academy);
  const { db } = academy;
  const { secret } = context.get(signInContext);
  return unlessDatabaseAway(async () => {
    const account = await readAccount(db, player, { secret, now: moment.now });
    const bower = await showBowerOf(db, player.person.id, snapshot);
    const studies = await readStudies(
      db,
      account.attended.map(({ place }) => place.id),
    );
    const needs = needsOf(account, studies, moment.today);
    const courses = coursesShown(account, { bower, studies, today: moment.today }, snapshot);
    return {
      name: await nameOf(db, player.person),
      goingOn: goingOnWith(account, { courses, studies, bower, today: moment.today }, snapshot),
      next: nextClass(account.attended, {
        now: moment.now,
        texts: snapshot.texts.attending,
        hours: await ownLiveHours(
          db,
          account.attended.map(({ place }) => place),
          moment,
        ),
      }),
      needs,
      courses,
      waiting: account.waiting
        .filter(({ confirmed }) => confirmed)
        .map(({ token, title, courseDate, seats, preferences }) => ({
          title,
          text: [
            courseDate ? formatDays(courseDate.startsOn, courseDate.endsOn) : 'The next date',
            preferencesText(preferences),
            seats === 1 ? '1 seat' : `${seats} seats`,
          ]
            .filter((part) => part !== null)
            .join(', '),
          page: href('/waiting/:token', { token }),
        })),
      certificates: bower.shelf.map(({ slug, title, number, treasure, finished }) => ({
        slug,
        title,
        number,
        treasure,
        finished,
        shown: inFours(number).replaceAll(' ', '\u00a0'),
      })),
      documents: documentsOf(account),
      enrolments: account.bought.map(({ enrolment: { reference, title }, token }) => ({
        reference,
        title,
        page: href('/enrolment/:token', { token }),
      })),
      bower: { sentence: bower.sentence },
      figures: [bower.straws, bower.treasures, `${formatCount(await xpOfPerson(db, player.person.id))} XP`],
    };
  });
}

export const meta = () => [{ title: 'Your account | Bowerbird Academy' }];

/** The others are behind a button. */
const needsShown = 5;

const row = 'flex min-w-0 flex-wrap items-center gap-x-5 gap-y-1 border-t border-line py-4';
const quietLink = 'font-bold text-link underline underline-offset-4';

export default function Account({ loaderData }: Route.ComponentProps) {
  const { needs, courses, waiting, certificates, documents, enrolments } = loaderData;
  const firstForOthers = needs.find(({ others }) => others)?.key;
  const needRow = (need: (typeof needs)[number]) => (
    <NeedRow key={need.key} need={need} filled={need.key === firstForOthers} />
  );
  return (
    <>
      <AccountHero {...loaderData} />
      <div className="page grid gap-12 py-12 lg:gap-16 lg:py-16">
        {needs.length > 0 && (
          <section>
            <h2 className="mb-5 text-3xl">Needs you</h2>
            <ul>{needs.slice(0, needsShown).map(needRow)}</ul>
            {needs.length > needsShown && (
              <details className="border-t border-line">
                <summary className={`${quietLink} inline-flex min-h-11 cursor-pointer items-center`}>
                  All {needs.length}
                </summary>
                <ul>{needs.slice(needsShown).map(needRow)}</ul>
              </details>
            )}
          </section>
        )}
        {courses.length > 0 && (
          <section>
            <h2 className="mb-5 text-3xl">Courses</h2>
            <ul>
              {courses.map((course) => (
                <CourseRow key={course.id} course={course} />
              ))}
            </ul>
          </section>
        )}
        {waiting.length > 0 && (
          <section>
            <h2 className="mb-5 text-3xl">Waiting lists</h2>
            <ul>
              {waiting.map(({ title, text, page }) => (
                <li key={page} className={`${row} gap-y-3!`}>
                  <div className="min-w-0 flex-1 basis-60">
                    <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
                    <p className="tabular text-sm text-mute">{text}</p>
                  </div>
                  <Link to={page} aria-label={`See or change: ${title}`} className={button.quiet}>
                    See or change
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
        {(certificates.length > 0 || documents.length > 0) && (
          <div className="grid gap-x-18 gap-y-12 lg:has-[section+section]:grid-cols-2">
            {certificates.length > 0 && (
              <section className="min-w-0">
                <h2 className="mb-5 text-3xl">Certificates</h2>
                <ul>
                  {certificates.map(({ slug, title, number, treasure, finished, shown }) => (
                    <li key={number} className={row}>
                      <span className="rounded-control bg-satin p-1.5">
                        <TreasureMark treasure={treasure} id={`own-${slug}`} className="size-8" />
                      </span>
                      <div className="min-w-0 flex-1">
                        <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
                        <p className="tabular flex flex-wrap gap-x-4 text-sm text-mute">
                          <span>{finished}</span> <span>{shown}</span>
                        </p>
                      </div>
                      <Link
                        to={href('/account/certificates/:number', { number })}
                        aria-label={`Show the certificate of ${title}`}
                        className={quietLink}
                      >
                        Show
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {documents.length > 0 && (
              <section className="min-w-0">
                <h2 className="mb-5 text-3xl">Invoices and notes</h2>
                <ul>
                  {documents.map(({ key, number, title, amount, state, file }) => (
                    <li key={key} className={row}>
                      <div className="min-w-0 flex-1">
                        <a href={file} download className={quietLink}>
                          {number}
                        </a>
                        <p className="text-sm text-mute wrap-anywhere">{title}</p>
                      </div>
                      <div className="tabular text-right">
                        <p>{amount}</p>
                        <p className="text-sm text-mute">{state}</p>
                      </div>
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </div>
        )}
        {enrolments.length > 0 && (
          <section>
            <h2 className="mb-5 text-3xl">Enrolments</h2>
            <ul>
              {enrolments.map(({ reference, title, page }) => (
                <li key={reference} className={`${row} gap-y-3!`}>
                  <div className="min-w-0 flex-1 basis-60">
                    <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
                    <p className="tabular text-sm text-mute">{reference}</p>
                  </div>
                  <Link to={page} aria-label={`See or change ${title}, ${reference}`} className={button.quiet}>
                    See or change
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

/** One task for the player, with its day and its button. */
function NeedRow({ need: { by, title, detail, act }, filled }: { need: Need; filled: boolean }) {
  return (
    <li className="grid items-center gap-x-8 gap-y-2 border-t border-line py-4 md:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <p className="text-sm font-bold">{by}</p>
      <div className="min-w-0">
        <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
        <p className="text-sm text-mute wrap-anywhere">{detail}</p>
      </div>
      <Link
        to={act.to}
        aria-label={`${act.text}: ${title}`}
        className={`${filled ? button.primary : button.quiet} justify-self-start md:justify-self-end`}
      >
        {act.text}
      </Link>
    </li>
  );
}
