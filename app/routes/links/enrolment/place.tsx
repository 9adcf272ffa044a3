import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { OwnTime, OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { ownTimesOf } from '#app/features/course-dates/own-times.ts';
import type { PlaceCourseDate } from '#app/features/enrolments/enrolment.ts';
import { recordOpening } from '#app/features/enrolments/links.server.ts';
import { isOver, openChoice } from '#app/features/enrolments/may-change.ts';
import { type ModulesShown, modulesShown } from '#app/features/enrolments/modules.ts';
import { courseInWords, placeLinks, readiness } from '#app/features/enrolments/words.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { ownOfPlace } from '#app/features/study/certificates/queries.server.ts';
import { ownLiveHours } from '#app/features/study/live-hours.server.ts';
import { daysToMiss } from '#app/features/study/marking.server.ts';
import { readModuleStandings, readProgress } from '#app/features/study/module-page.server.ts';
import type { Requirements } from '#app/features/study/requirements.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { CalendarButtons } from '#app/ui/calendar-buttons.tsx';
import { FactRows } from '#app/ui/fact-rows.tsx';
import { More } from '#app/ui/more.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { When } from '#app/ui/when.tsx';
import type { Route } from './+types/place';
import { Away, textLink } from './frame.tsx';
import { JoinLink } from './join-link.tsx';
import { hasHoursToTakeOut, type LiveHoursShown, liveHoursShown } from './live-hours-shown.ts';
import { ModuleList } from './module-list.tsx';
import { ProgressLine } from './module-study.tsx';
import { isToCome } from './place-groups.ts';
import { readForAttendee } from './private-links.server.ts';
import { pageDataOf } from './private-page.server.ts';

/** An attendee's own page: never money, never the others (P32). */
export async function loader({ context, request, params: { token } }: Route.LoaderArgs) {
  const { attending } = context.get(snapshotContext).current().texts;
  const found = await readForAttendee(
    context.get(academyContext),
    token,
    async ({ id: enrolmentId, reference }, own, moment, costOf, trx) => {
      const liveHours = await ownLiveHours(trx, own, moment);
      const certificates = new Map<number, Awaited<ReturnType<typeof certificateOf>>>();
      for (const { id } of own) certificates.set(id, await certificateOf(trx, id));
      const modules = new Map<number, ModulesShown>();
      for (const place of own) {
        if (place.way !== 'guided' || place.state === 'cancelled') continue;
        const standings = await readModuleStandings(trx, place, { enrolmentId, today: moment.today });
        modules.set(place.id, modulesShown(place, costOf(place), standings, moment));
      }
      const progress = await readProgress(
        trx,
        own.map(({ id }) => id),
        { today: moment.today, issued: new Set(own.flatMap(({ id }) => (certificates.get(id)?.holds ? [id] : []))) },
      );
      return {
        token,
        reference,
        who: own[0]?.attendee.name ?? null,
        needs: own[0]?.attendee.needs ?? null,
        phone: moment.academy.phone,
        places: own.map((place) => {
          const { title, when, where, join, standing } = courseInWords([place]);
          const hours = liveHours.get(place.id) ?? [];
          const shown = place.state === 'cancelled' ? null : liveHoursShown(hours, moment);
          // The part of a state about money is for the buyer only.
          // Over, there is nothing to join and nothing to prepare.
          const over =
            place.courseDate !== null && place.courseDate.state !== 'cancelled' && isOver(place.courseDate, moment.now);
          const decidedBy = place.courseDate?.state === 'tentative' ? place.courseDate.decidedBy : null;
          return {
            id: place.id,
            title,
            when,
            ownTimes: place.courseDate && ownTimesIn(place.courseDate),
            where,
            map: over || place.courseDate === null ? null : mapOf(place.courseDate),
            join: over ? '' : (join ?? ''),
            standing: over
              ? 'This course date is over.'
              : decidedBy === null
                ? standing
                : `Goes ahead if enough people enrol; we decide by ${formatDay(decidedBy)}`,
            // Once study has begun, the list of modules says what one may open.
            ready:
              over || place.courseDate?.state === 'cancelled' || modules.get(place.id)?.opening === 'open'
                ? ''
                : readiness(place, attending),
            state: place.state,
            modules: modules.get(place.id) ?? null,
            liveHours: shown,
            takesOut: shown === null && hasHoursToTakeOut(hours, moment.now),
            choosing: openChoice(place, moment.today)?.why ?? null,
            canMiss: daysToMiss(place, moment.now).length > 0,
            hasDates: place.state === 'active' && isToCome(place, moment.today),
            calendar: placeLinks(place),
            certificate: certificates.get(place.id) ?? null,
            // Only once there is something to show.
            progress: progress.get(place.id)?.progress.xp ? (progress.get(place.id)?.progress ?? null) : null,
            asks:
              place.state === 'cancelled' ||
              place.courseDate?.state === 'cancelled' ||
              certificates.get(place.id)?.holds === false
                ? null
                : (progress.get(place.id)?.requirements ?? null),
          };
        }),
      };
    },
  );
  await recordOpening(context.get(academyContext), request, { token, what: 'page' });
  return pageDataOf(found);
}

/** A map of the room's street; null for classes without one. */
function mapOf({ street, venue, state }: PlaceCourseDate): string | null {
  if (!street || state === 'cancelled') return null;
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${street}, ${venue}`)}`;
}

const ownTimesIn = ({ startsOn, endsOn, startsAt, endsAt, zone, delivery }: PlaceCourseDate) =>
  ownTimesOf({ startDate: startsOn, endDate: endsOn, startTime: startsAt, endTime: endsAt, zone, delivery });

async function certificateOf(db: Db, placeId: number) {
  const own = await ownOfPlace(db, placeId);
  return own && { number: inFours(own.number), holds: own.state === 'issued' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Your place',
    'Your course: when, where, and how to join. Keep the address of this page private.',
    noPage,
  );

const choosing = {
  'course-date-cancelled':
    'We had to cancel this date. The person who enrolled you can choose another date or a refund.',
  'course-date-moved':
    'We had to change this date. You keep your place. If it does not suit you, tell the person who enrolled you.',
};

type Shown = NonNullable<Route.ComponentProps['loaderData']>['places'][number];

export default function PlacePage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, reference, who, needs, phone, places } = loaderData;
  const owner = who ? `${who}’s place` : 'Your place';
  const [first, ...others] = places;
  const only = others.length === 0 ? first : undefined;
  return (
    <>
      <CheckoutHead
        title={only ? <Unbroken text={only.title} /> : owner}
        lead={`${only ? `${owner}. ` : ''}To change anything, ask the person who enrolled you.`}
      />
      <div className="page grid gap-8 pt-4 pb-10">
        {places.map((place) => (
          <PlaceSection key={place.id} place={place} token={token} titled={!only} />
        ))}
        <OwnTimesAtOnce />
        <div className="gap-x-14 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]">
          <FactRows
            rows={[
              ['Reference', reference],
              ['What you need', needs],
              ['Questions', `Call ${phone}, or reply to our email`],
            ]}
          />
        </div>
      </div>
    </>
  );
}

/** One place: when and how one joins, what is to do, and on the right its certificate. */
function PlaceSection({ place, token, titled }: { place: Shown; token: string; titled: boolean }) {
  const { id, title, state, modules, liveHours, takesOut, progress, certificate, asks } = place;
  return (
    <section className="grid items-start gap-x-14 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-6">
        {titled && (
          <h2 className="text-2xl">
            <Unbroken text={title} />
          </h2>
        )}
        <NextCard place={place} token={token} />
        {state !== 'cancelled' && (
          <>
            {progress && <ProgressLine {...progress} />}
            {liveHours && <LiveHours shown={liveHours} token={token} placeId={id} />}
            {modules && <ModuleList shown={modules} token={token} />}
          </>
        )}
        {takesOut && <HoursToTakeOut token={token} placeId={id} />}
      </div>
      {(asks || certificate) && (
        <div className="grid gap-4 rounded-card border border-line bg-card p-5 sm:p-6">
          {certificate && state !== 'cancelled' && (
            <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
              <Link
                to={href('/place/:token/:placeId/certificate', { token, placeId: String(id) })}
                className={certificate.holds ? button.primary : button.quiet}
              >
                {certificate.holds ? 'Your certificate' : 'About your certificate'}
              </Link>
              <span className="tabular text-mute">{certificate.number}</span>
            </p>
          )}
          {asks && <CertificateAsks asks={asks} />}
        </div>
      )}
    </section>
  );
}

/** When and where it is, and the one way to join it. */
function NextCard({ place, token }: { place: Shown; token: string }) {
  const {
    id,
    when,
    ownTimes,
    where,
    map,
    join,
    standing,
    ready,
    state,
    modules,
    choosing: why,
    hasDates,
    canMiss,
    calendar,
  } = place;
  const [first = '', ...rest] = ready.split('\n');
  const over = modules?.opening === 'over';
  return (
    <div className="grid gap-3 rounded-card border border-line bg-card p-5 sm:p-7">
      <When text={when}>
        <OwnTime times={ownTimes} />
      </When>
      {where && (
        <p>
          {where}
          {map && (
            <a href={map} rel="noreferrer" className={`${textLink} ml-3`}>
              Map
            </a>
          )}
        </p>
      )}
      {state === 'cancelled' ? (
        <p className="font-bold">This place was cancelled.</p>
      ) : (
        <>
          {standing && <p className="text-mute">{standing}</p>}
          {why && <p className="rounded-control border-2 border-straw p-4 font-bold">{choosing[why]}</p>}
          {join && <JoinLink link={join} />}
          {(over || first) && (
            <div className="mt-1 grid gap-3 border-t border-line pt-4">
              {over ? <p className="font-bold">Access ended on {modules.ends}.</p> : <p>{first}</p>}
              {!over && rest.length > 0 && (
                <More label="What to bring, and the rest">
                  <p className="whitespace-pre-line">{rest.join('\n').trim()}</p>
                </More>
              )}
            </div>
          )}
        </>
      )}
      {(hasDates || canMiss) && (
        <div className="no-print grid gap-2 border-t border-line pt-4">
          {hasDates && (
            <CalendarButtons
              file={href('/place/:token/:placeId/calendar.ics', { token, placeId: String(id) })}
              links={calendar}
            />
          )}
          {canMiss && (
            <p>
              <Link
                to={href('/place/:token/:placeId/cannot-come', { token, placeId: String(id) })}
                className={textLink}
              >
                I can’t come
              </Link>
            </p>
          )}
          {hasDates && (
            <p className="text-sm text-mute">Declining the calendar invitation does not cancel your place.</p>
          )}
        </div>
      )}
    </div>
  );
}

/** The requirements of a place's certificate and their states, so that nobody waits for one in vain (P61). */
function CertificateAsks({ asks: { counted, work } }: { asks: Requirements }) {
  return (
    <div className="grid gap-4">
      <h2 className="text-xl">For your certificate</h2>
      <p>{work ? 'We issue it when both of these are done.' : 'We issue it when this is done.'}</p>
      <ul className="grid gap-4">
        <Asked {...counted} />
        {work && (
          <Asked {...work}>
            <More label="What the course page said when this place was bought" className="mt-1 text-sm">
              <blockquote className="border-l-3 border-straw pl-3">{work.text}</blockquote>
            </More>
          </Asked>
        )}
      </ul>
    </div>
  );
}

type AskedProps = Requirements['counted'] & { children?: ReactNode };

function Asked({ what, state, met, children }: AskedProps) {
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
      {met ? (
        <Sign name="check" className="mt-0.5 size-5 text-link" />
      ) : (
        <span aria-hidden="true" className="pl-1 font-bold text-mute">
          –
        </span>
      )}
      <div>
        <p className="font-bold">{what}</p>
        <p className="tabular text-mute">{state}</p>
        {children}
      </div>
    </li>
  );
}

/** The time of a place's live hour and the link to join it (P60). */
function LiveHours({ shown, token, placeId }: { shown: LiveHoursShown; token: string; placeId: number }) {
  const { weekly, next, link, off } = shown;
  return (
    <div className="grid gap-2">
      <h2 className="mt-3 text-xl">Live hour</h2>
      <p>A live hour online, for questions and for what you have to show or defend. None on public holidays.</p>
      {weekly.map((when) => (
        <p key={when} className="tabular">
          {when}
        </p>
      ))}
      {next && <p className="tabular font-semibold">Next: {next}</p>}
      {off.map((words) => (
        <p key={words} className="tabular">
          {words}
        </p>
      ))}
      {next &&
        (link ? <JoinLink link={link} text="Join the live hour" /> : <p>The link is here once your study begins.</p>)}
      <HoursFile
        to={{ token, placeId }}
        text="Live hours as a calendar file (.ics)"
        hint="Download it again when an email says that something changed."
      />
    </div>
  );
}

/** The file that takes live hours out of the calendar of somebody who may not come to any more. */
const HoursToTakeOut = (to: Owner) => (
  <HoursFile
    to={to}
    text="Take live hours out of your calendar (.ics)"
    hint="No live hour is ahead. If you saved them in your calendar, open this file there."
  />
);

type Owner = { token: string; placeId: number };

function HoursFile({ to: { token, placeId }, text, hint }: { to: Owner; text: string; hint: string }) {
  return (
    <p className="no-print">
      <a
        href={href('/place/:token/:placeId/calendar.ics', { token, placeId: String(placeId) })}
        download
        className={button.quiet}
      >
        {text}
      </a>
      <span className="mt-2 block text-sm text-mute">{hint}</span>
    </p>
  );
}
