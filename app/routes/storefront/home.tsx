import { useEffect } from 'react';
import { href, Link } from 'react-router';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { cataloguePage, type PageCatalogue } from '#app/features/catalogue/catalogue-page.ts';
import { CatalogueSection } from '#app/features/catalogue/catalogue-section.tsx';
import { heldCatalogue } from '#app/features/catalogue/held-catalogue.ts';
import { type Claim, claimsFor, goalOf } from '#app/features/catalogue/site/claims.ts';
import { demonstrationOf } from '#app/features/catalogue/site/demonstrations.ts';
import { Figure, FiguresSource } from '#app/features/catalogue/site/figures.tsx';
import { momentOf } from '#app/features/catalogue/site/moments.ts';
import { PartnerWordmarks, shownPartners } from '#app/features/catalogue/site/partner-wordmarks.tsx';
import { QuestMoment } from '#app/features/catalogue/site/quest-moment.tsx';
import type { Site } from '#app/features/catalogue/site/site.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { graph, organization, webSite } from '#app/seo/structured-data.ts';
import { Icon } from '#app/ui/icon.tsx';
import type { Route } from './+types/home';
import { HeroCarousel, type HeroSlide } from './hero-carousel.tsx';
import { type Role, Roles } from './roles.tsx';

/** Why Choose Bowerbird: the specification's six headings, each with its explanation. */
export const reasons = [
  {
    title: 'Industry-Standard Curriculum',
    icon: 'scroll',
    text: 'Courses for an outside exam follow its outline, in the version the page names.',
  },
  {
    title: 'Expert Instructors',
    icon: 'crown',
    text: 'More than ten years of work or teaching in the field each, and a name on every course.',
  },
  {
    title: 'Recognized Certifications',
    icon: 'shield',
    text: 'From Security+ to CISSP: what employers in Australia ask for by name.',
  },
  {
    title: 'Flexible Learning',
    icon: 'compass',
    text: 'Live online, in Brisbane, Sydney or Melbourne, with the local time zone on every date.',
  },
  {
    title: 'Global Community',
    icon: 'network',
    text: 'Taught live online as well as in three cities, so the person you practise with may be anywhere.',
  },
  {
    title: 'Hands-On Labs',
    icon: 'terminal',
    text: 'Alerts, networks and clouds to break and fix. Each syllabus says what you will have done by the end.',
  },
];

export const handle: SharedPage = { shared: { parameters: ['search', 'category', 'level', 'sort', 'page'] } };

export function loader({ context, url }: Route.LoaderArgs) {
  const store = context.get(snapshotContext);
  const snapshot = store.current();
  const { texts, tracks, questLines } = snapshot;
  const list = listable(snapshot, academyToday(context.get(academyContext).clock));
  return {
    slides: heroSlides(snapshot),
    ratings: claimsFor(texts.claims, 'ratings'),
    mission: claimsFor(texts.claims, 'mission'),
    goal: goalOf(texts.claims),
    partners: shownPartners(texts.partners).map(({ name }) => name),
    tracks: tracks.map(({ slug, name, icon }) => ({ slug, name, icon })),
    reasons,
    catalogue: cataloguePage(list, store.suggester().nearest, url),
    roles: questLines.map(
      ({ slug, title, icon, steps, hours, priceCents }): Role => ({
        slug,
        title,
        icon,
        hours,
        priceCents,
        nextStart: nextStart(steps[0]?.course, list.nextDates),
        courses: steps.map(({ course: { title, icon } }) => ({ title, icon })),
      }),
    ),
    moment: momentOf('soc-analyst-hands-on'),
  };
}

/** When a course can begin: on its next date with a free seat, or on a Monday of one's choice (P38). */
function nextStart(course: CourseCard | undefined, nextDates: PageCatalogue['nextDates']): string {
  const date = nextDates[course?.slug ?? ''];
  if (course?.guided) return date ? `${date}, or any Monday` : 'Any Monday';
  return date ?? 'No date yet';
}

/** The present data of the page; a filter changes its catalogue only. */
let shown: ReturnType<typeof loader> | undefined;

/** The browser's own list answers at once, where it is held (P8). */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const catalogue = heldCatalogue.page?.(new URL(request.url));
  return catalogue && shown ? { ...shown, catalogue } : serverLoader();
}

function heroSlides({ texts, bySlug, instructors }: Snapshot): HeroSlide[] {
  return texts.heroSlides.flatMap(({ course, ...slide }): HeroSlide[] => {
    const instructor = instructors.get(bySlug.get(course)?.instructorSlug ?? '');
    if (!instructor) return [];
    const { id, title } = demonstrationOf(course);
    const { name, experience } = instructor;
    return [{ ...slide, courseSlug: course, instructor: name, experience, demonstration: { id, title } }];
  });
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Cybersecurity, AI and cloud training in Brisbane',
    'Courses in cybersecurity, AI, cloud and IT with real syllabuses, real dates and prices that include GST.',
    { machines: import.meta.env.SSR ? () => machines(at.matches[1]?.loaderData?.site) : undefined },
  );

function machines(site: Site | undefined) {
  const about = (baseUrl: string) => (site ? [organization(baseUrl, site)] : []);
  return { data: (baseUrl: string) => graph(webSite(baseUrl), ...about(baseUrl)) };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { slides, ratings, mission, goal, partners, tracks, roles, moment } = loaderData;
  useEffect(() => {
    shown = loaderData;
    return () => {
      shown = undefined;
    };
  }, [loaderData]);
  return (
    <>
      <h1 className="sr-only">Bowerbird Academy: cybersecurity, AI, cloud and IT training</h1>
      <HeroCarousel slides={slides} />

      {ratings.length > 0 && (
        <section aria-label="Ratings" className="border-b border-line">
          <ul className="page grid auto-cols-fr grid-flow-col max-sm:px-0 max-[18rem]:grid-flow-row">
            {ratings.map((claim) => (
              <li
                key={claim.id}
                className="flex flex-wrap items-baseline gap-x-2.5 border-line py-3 not-last:border-r max-sm:flex-col max-sm:px-2 max-[18rem]:border-r-0 max-[18rem]:px-4 sm:py-5 sm:not-first:pl-8"
              >
                <b className="font-display text-xl sm:text-2xl">
                  <Figure claim={claim} />
                </b>
                <span className="text-mute max-sm:text-sm max-sm:leading-tight">{claim.wording}</span>
              </li>
            ))}
          </ul>
        </section>
      )}

      <Mission goal={goal} figures={mission} />

      {partners.length > 0 && (
        <section aria-labelledby="partners" className="border-y border-line bg-card">
          <div className="page py-6 sm:py-10">
            <h2 id="partners" className="text-lg sm:text-xl">
              Authorized partners
            </h2>
            <PartnerWordmarks names={partners} />
            <p className="mt-4 text-sm">
              <Link to={href('/claims')} prefetch="intent" className="font-bold text-link underline underline-offset-4">
                What each name means
              </Link>
            </p>
          </div>
        </section>
      )}

      <section aria-labelledby="tracks" className="page pt-9 sm:pt-12 lg:pt-18">
        <h2 id="tracks" className="text-3xl sm:text-4xl lg:text-5xl">
          Explore Courses by Category
        </h2>
        <p className="mt-3 text-mute">{tracks.length} tracks, from first principles to specialist work.</p>
        <ul className="mt-5 flex flex-wrap gap-2 sm:mt-7 sm:grid sm:grid-cols-2 sm:gap-3 md:grid-cols-3 lg:grid-cols-4">
          {tracks.map(({ slug, name, icon }) => (
            <li key={slug}>
              <Link
                to={`${href('/courses')}?category=${slug}`}
                prefetch="intent"
                className="flex h-full min-h-11 items-center gap-2 rounded-control border border-line bg-card px-3 font-semibold hover:border-edge max-sm:text-[0.9375rem] sm:min-h-14 sm:gap-3 sm:px-4 sm:py-3"
              >
                <Icon name={icon} className="size-5 shrink-0 text-link sm:size-7" />
                <span className="min-w-0">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>

      <section id="courses" aria-labelledby="board" className="page py-9 sm:py-12 lg:py-18">
        <h2 id="board" className="text-3xl sm:text-4xl lg:text-5xl">
          Quest board
        </h2>
        <p className="mt-3 mb-5 max-w-prose text-mute sm:mb-7">
          Filter by what you want to be able to do next. Every price includes GST.
        </p>
        <CatalogueSection page={loaderData.catalogue} base="/" />
      </section>

      <section aria-labelledby="quest-lines" className="on-satin bg-satin text-on-satin">
        <div className="page py-9 sm:py-12 lg:py-18">
          <h2 id="quest-lines" className="text-3xl sm:text-4xl lg:text-5xl">
            <Link to={href('/quest-lines')} prefetch="intent" className="underline-offset-8 hover:underline">
              Quest lines
            </Link>
          </h2>
          <p className="mt-3 max-w-prose text-on-satin-mute">
            Courses in order towards a role, with the hours and prices of its courses added up.
          </p>
          <Roles roles={roles} />
        </div>
      </section>

      {moment && (
        <section
          aria-labelledby="moment"
          className="page grid gap-x-14 gap-y-5 py-9 sm:py-12 lg:grid-cols-[1fr_1.5fr] lg:py-18"
        >
          <div>
            <h2 id="moment" className="text-3xl sm:text-4xl lg:text-5xl">
              Play a quest moment
            </h2>
            <p className="mt-3 max-w-prose text-mute">{moment.lead}</p>
          </div>
          <QuestMoment moment={moment} />
        </section>
      )}

      <section aria-labelledby="why" className="border-t border-line bg-card">
        <div className="page grid gap-x-14 gap-y-5 py-9 sm:gap-y-8 sm:py-12 lg:grid-cols-[1fr_2fr] lg:py-18">
          <h2 id="why" className="text-3xl sm:text-4xl lg:text-5xl">
            Why Choose Bowerbird
          </h2>
          <ul className="grid gap-x-10 gap-y-4 sm:grid-cols-2 sm:gap-y-8">
            {loaderData.reasons.map(({ title, icon, text }) => (
              <li key={title} className="flex gap-3 sm:gap-4">
                <Icon name={icon} className="mt-0.5 size-7 shrink-0 text-link sm:size-8" />
                <div>
                  <h3 className="text-lg sm:text-[1.375rem]">{title}</h3>
                  <p className="mt-0.5 text-mute max-sm:text-sm sm:mt-1.5">{text}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  );
}

/** The goal and the figures beside it: either alone, or nothing, where the others are hidden (P106). */
function Mission({ goal, figures }: { goal: Claim | null; figures: (Claim & { id: string })[] }) {
  if (!goal && figures.length === 0) return null;
  return (
    <section
      aria-labelledby="mission"
      className="page grid items-center gap-x-14 gap-y-5 py-9 sm:gap-y-8 sm:py-12 lg:grid-cols-[1fr_1.5fr] lg:py-16"
    >
      <div>
        <h2 id="mission" className="text-2xl sm:text-3xl lg:text-4xl">
          {goal ? (
            <>
              <Figure claim={goal} /> {goal.wording}
            </>
          ) : (
            'The academy in figures'
          )}
        </h2>
        {goal && (
          <p className="mt-3 max-w-prose text-mute">
            That is the goal: people who can defend what others rely on.
            {figures.length > 0 && ' The figures here are from 2025.'}
          </p>
        )}
      </div>
      {figures.length > 0 && (
        <div>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4 sm:gap-x-8 sm:gap-y-6">
            {figures.map((claim) => (
              <div key={claim.id} className="flex flex-col-reverse justify-end border-l-4 border-straw pl-3 sm:pl-4">
                <dt className="text-mute max-sm:text-sm">{claim.wording}</dt>
                <dd className="tabular font-display text-2xl font-bold tracking-tight lg:text-3xl">
                  <Figure claim={claim} />
                </dd>
              </div>
            ))}
          </dl>
          <FiguresSource claims={figures} />
        </div>
      )}
    </section>
  );
}
