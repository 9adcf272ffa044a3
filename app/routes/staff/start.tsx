import { useContext } from 'react';
import { href, Link, redirect } from 'react-router';
import { openingSettingsContext } from '#app/features/catalogue/site/opening.server.ts';
import { countOpening, type OpeningGroup } from '#app/features/catalogue/site/opening.ts';
import { readOwnerSections } from '#app/features/catalogue/site/owner-sections.server.ts';
import type { LookAgain } from '#app/features/content/check/dated-texts.ts';
import { ownStart } from '#app/features/course-dates/queries.server.ts';
import { whoseOf } from '#app/features/inbox/inbox-address.ts';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { backupStateContext } from '#app/http/backup-state.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { atMost } from '#app/lib/at-most.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDayAndMonth, weekdayOf } from '#app/lib/dates.ts';
import { mailHealthContext } from '#app/outbox/mail-health.server.ts';
import { button } from '#app/ui/button.ts';
import { MayContext, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { ActLink, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/start';
import { staffMeta } from './frame/staff-meta.ts';
import { hoursToday } from './live-hours/live-hours.server.ts';
import { alsoToSee } from './today/also.server.ts';
import { AlsoToSee } from './today/also-to-see.tsx';
import { ClassesToday } from './today/classes-today.tsx';
import { NeedsList } from './today/needs-list.tsx';
import { readNotices } from './today/notices.server.ts';
import { Notices } from './today/notices.tsx';
import { readToday } from './today/read.server.ts';
import { shownToday } from './today/shown.server.ts';
import { Sums } from './today/sums.tsx';
import { WeeksAhead } from './today/weeks-ahead.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'todo:read');
  const { db, clock } = context.get(academyContext);
  if (url.pathname !== href('/staff/today')) {
    const own = await unlessDatabaseAway(() => ownStart(db, actor, clock.now()));
    if (own) throw redirect(own);
  }
  const health = context.get(mailHealthContext);
  return unlessDatabaseAway(async () => {
    const whose = whoseOf(url.searchParams);
    const [now, today] = [clock.now(), academyToday(clock)];
    const settings = context.get(openingSettingsContext);
    // Two connections at a time: pages for visitors wait for none.
    const turn = atMost(2);
    const [notices, also, read, owner, hours] = await Promise.all([
      turn(() => readNotices(db, actor, context.get(backupStateContext))),
      alsoToSee(db, { actor, now, today, health, byCard: context.get(stripeContext) !== null, turn }),
      readToday({ db, health, turn }, actor, { now, today, whose }),
      readOwnerSections(db, { actor, settings, today, turn }),
      actor.can.has('attendees:read') ? turn(() => hoursToday(db, actor, { today, now })) : [],
    ]);
    return {
      title: actor.can.has('course-dates:read-all') ? `${weekdayOf(today)} ${formatDayAndMonth(today)}` : 'My classes',
      ...shownToday(read, actor, clock),
      hours,
      whose: actor.can.has('inbox:read') ? whose : null,
      form: blankStaffForm(0),
      notices,
      mayPlan: actor.can.has('course-dates:change'),
      also,
      owner,
    };
  });
}

export const meta = () => staffMeta('Today');

/** The first page, for an instructor at an address of its own beside `/staff`: classes of today, what needs a person, the next weeks, money and mail, each for those who may read it. */
export default function Start({ loaderData }: Route.ComponentProps) {
  const { whose, form } = loaderData;
  const records = useContext(MayContext).has('money:record');
  const {
    title,
    times,
    own,
    classes,
    hours,
    next,
    allClasses,
    needs,
    weeks,
    money,
    mail,
    asked,
    mayPlan,
    moreAsked,
    also,
    owner,
    notices,
  } = loaderData;
  return (
    <>
      <PageHead title={title} beside={times}>
        <OnlyWith permission="course-dates:change">
          <Link to={href('/staff/course-dates/new')} className={button.quiet}>
            <Plus /> Course date
          </Link>
        </OnlyWith>
        <OnlyWith permission="enrolments:change">
          <Link to={href('/staff/enrolments/new')} className={button.quiet}>
            <Plus /> Enrol by hand
          </Link>
        </OnlyWith>
      </PageHead>
      <Notices {...notices} form={form} />
      <div className="grid items-start gap-x-12 gap-y-7 xl:grid-cols-[minmax(0,1.16fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-7">
          {classes && <ClassesToday classes={classes} hours={hours} own={own} next={next} all={allClasses} />}
          {needs && <NeedsList {...needs} own={own} whose={whose} form={form} />}
          <AlsoToSee also={also} />
          <OwnerSections {...owner} />
        </div>
        <div className="grid min-w-0 gap-7">
          {weeks && <WeeksAhead weeks={weeks} own={own} />}
          {(money || mail) && (
            <div className="grid gap-x-8 gap-y-7 sm:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
              {money && (
                <Sums
                  title="Money"
                  end={{ text: records ? 'Match a statement' : 'Payments', to: href('/staff/payments') }}
                  sums={money}
                />
              )}
              {mail && <Sums title="Mail" beside={mail.last} sums={mail.sums} />}
            </div>
          )}
          {asked.length > 0 && (
            <p className="text-sm text-mute">
              <b className="font-semibold text-ink">On sale, but no date to enrol in for 90 days:</b>{' '}
              {asked.map(({ slug, title: course, waiting, next: nextDate }, at) => (
                <span key={slug}>
                  {at > 0 && ', '}
                  {mayPlan ? (
                    <TextLink to={`${href('/staff/course-dates/series')}?${new URLSearchParams({ course: slug })}`}>
                      {course}
                    </TextLink>
                  ) : (
                    course
                  )}
                  {waiting > 0 && ` (${waiting} waiting)`}
                  {nextDate && ` (next on ${nextDate})`}
                </span>
              ))}
              {moreAsked > 0 && ` and ${moreAsked} more`}
            </p>
          )}
        </div>
      </div>
    </>
  );
}

function Plus() {
  return (
    <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3" fill="none" stroke="currentColor">
      <path d="M6 2v8M2 6h8" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}

type Props = { opening: OpeningGroup[]; again: LookAgain[]; siteId: string };

/** Below the tasks: the owner's tasks before the opening, and texts that are no longer true. */
function OwnerSections({ opening, again, siteId }: Props) {
  const settings = href('/staff/content/:kind/:id', { kind: 'site', id: siteId });
  return (
    <>
      {again.length > 0 && (
        <section aria-labelledby="look-again" className="min-w-0">
          <h2 id="look-again" className="border-b border-rule pb-1.5 text-lg">
            Texts to look at again: {again.length}
          </h2>
          <ul className="grid gap-2 py-3 text-sm">
            {again.map(({ where, text }) => (
              <li key={`${where} ${text}`} className="wrap-anywhere">
                <b>{where}</b>: {text}
              </li>
            ))}
          </ul>
        </section>
      )}
      {opening.length > 0 && (
        <section aria-labelledby="before-opening" className="min-w-0">
          <h2 id="before-opening" className="border-b border-rule pb-1.5 text-lg">
            Before opening: {countOpening(opening)} to settle
          </h2>
          <div>
            {opening.map(({ title, settle: forAll, kind, items }) => (
              <details key={title} className="border-b border-line py-2">
                <summary className="font-semibold">
                  {title}: {items.length}
                </summary>
                {forAll && <p className="mt-3 text-sm">{forAll}</p>}
                {kind && (
                  <p className="mt-2 text-sm">
                    <ActLink to={href('/staff/content/:kind', { kind })}>Open the list</ActLink>
                  </p>
                )}
                <ul className="mt-3 grid gap-3 text-sm">
                  {items.map(({ id, what, restsOn, settle, field }) => (
                    <li key={id} className="wrap-anywhere">
                      <b>{what}</b>
                      <p className="text-mute">Rests on: {restsOn}</p>
                      {settle && <p className="text-mute">To settle it: {settle}</p>}
                      {field && <ActLink to={`${settings}#v.${field}`}>Open the field</ActLink>}
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </div>
        </section>
      )}
    </>
  );
}
