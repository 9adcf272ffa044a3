import { data, href } from 'react-router';
import { findCourseDate, readAttendees } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { Back, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/name-cards';

/** How much smaller a name is printed, 0 to 2, so that it and the lines below it fit the card. */
const smaller = (name: string, organisation: string) => {
  const letters = name.length + organisation.length / 2;
  return letters <= 40 ? 0 : letters <= 80 ? 1 : 2;
};

/** Cards on an A4 page: two beside each other, four rows. */
const aPage = 8;

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'attendees:read');
  const { db, clock } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const courseDate = await findCourseDate(db, actor, slug, academyToday(clock));
    return courseDate && { courseDate, attendees: await readAttendees(db, actor, courseDate.id) };
  });
  if (!found) throw data(`There is no course date ${slug}.`, { status: 404 });
  const { title, days } = found.courseDate;
  const cards = found.attendees.map(({ id, name, organisation }) => ({
    id,
    name: showControlCharacters(name ?? ''),
    organisation: showControlCharacters(organisation ?? ''),
  }));
  return {
    slug,
    title,
    days,
    unnamed: cards.filter(({ name }) => name === '').length,
    pages: Array.from({ length: Math.ceil(cards.length / aPage) }, (_, at) =>
      cards.slice(at * aPage, (at + 1) * aPage),
    ),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Name cards, ${loaderData.title}` : 'Name cards');

export default function NameCards({ loaderData: { slug, title, days, pages, unnamed } }: Route.ComponentProps) {
  return (
    <>
      <div className="print:hidden">
        <Back to={href('/staff/course-dates/:slug', { slug })}>{title}</Back>
        <h1 className="text-2xl">Name cards</h1>
        <p className="mt-1 mb-4 max-w-prose text-mute">
          Print them with your browser on A4, without margins of its own: {aPage} cards a page.
          {unnamed > 0 &&
            ` ${unnamed} ${unnamed === 1 ? 'name is' : 'names are'} not known yet: write on the empty line.`}
        </p>
      </div>
      {pages.length === 0 && <Words>Nobody has enrolled yet.</Words>}
      {pages.map((cards, page) => (
        <ul key={cards[0]?.id ?? page} aria-label={`Page ${page + 1}`} className="name-cards mb-6">
          {cards.map(({ id, name, organisation }) => (
            <li key={id} className="name-card" data-smaller={smaller(name, organisation)}>
              <b dir="auto" className="font-display text-xl wrap-anywhere">
                {name || '______________'}
              </b>
              {organisation && <span className="wrap-anywhere">{organisation}</span>}
              <span className="text-sm text-mute">
                {title}
                <br />
                {days}
              </span>
            </li>
          ))}
        </ul>
      ))}
    </>
  );
}
