import { Form, href, Link } from 'react-router';
import type { ListedCourse } from '#app/features/catalogue/catalogue.ts';
import { CourseLink } from '#app/features/catalogue/course-links.tsx';
import { waysOf, waysText } from '#app/features/catalogue/ways.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/compare';

export const handle: SharedPage = { shared: { parameters: ['a', 'b'] } };

/** `/compare?a=cissp&b=cism`: what two courses say of the same facts. */
export function loader({ context, url }: Route.LoaderArgs) {
  const list = listable(context.get(snapshotContext).current(), academyToday(context.get(academyContext).clock));
  const { bySlug, aliases, byId, exams, nextDates, courses } = list;
  const chosen = ['a', 'b'].map((key) => {
    const slug = url.searchParams.get(key) ?? '';
    return bySlug.get(aliases.get(slug) ?? slug) ?? null;
  });
  const [a, other] = chosen;
  const b = other === a ? null : other;
  const titles = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id)?.card.title ?? []).join('\n') || 'None';
  const facts = ({ card, examCodes, needs, leadsTo, instructor }: ListedCourse): [name: string, value: string][] => {
    const next = nextDates[card.slug];
    return [
      ['Price, incl. GST', formatMoney(card.priceCents)],
      ['Hours', String(card.hours)],
      ['Level', card.level],
      ['How to take it', waysText(waysOf(card, next !== undefined), next ?? null)],
      ['Outside exam', examCodes.map((code) => exams.get(code)?.title ?? code).join('\n') || 'None'],
      ['Useful before', titles(needs)],
      ['Leads to', titles(leadsTo)],
      ['Category', card.category.name],
      ['Instructor', instructor],
      ['Rating', card.rating === null ? 'None yet' : `${card.rating.toFixed(1)} / 5`],
      ['Players', card.learners === 0 ? 'None yet' : formatCount(card.learners)],
      ['XP to earn', formatCount(card.xp)],
    ];
  };
  return {
    chosen: chosen.map((course) => course?.card.slug ?? ''),
    pair: a && b ? [a.card, b.card].map(({ slug, title }) => ({ slug, title })) : null,
    rows: a && b ? differingFirst(facts(a), facts(b)) : [],
    titles: courses
      .map(({ card: { slug, title } }) => ({ slug, title }))
      .toSorted((one, other) => one.title.localeCompare(other.title, 'en-AU')),
  };
}

function differingFirst(ofA: [string, string][], ofB: [string, string][]) {
  const rows = ofA.map(([name, first], at) => ({ name, first, second: ofB[at]?.[1] ?? '' }));
  const same = ({ first, second }: (typeof rows)[number]) => Number(first === second);
  return rows.toSorted((one, other) => same(one) - same(other));
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Compare two courses',
    'Price, hours, level, dates and exam of two courses side by side, with what differs first.',
    noPage,
  );

export default function Compare({ loaderData: { chosen, pair, rows, titles } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Compare two courses" lead="What differs comes first." />
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-10 py-12">
        <Form key={chosen.join()} action={href('/compare')} className="no-print flex flex-wrap items-end gap-4">
          {(['a', 'b'] as const).map((name, at) => (
            <label key={name} className="min-w-0 flex-1 basis-64 font-semibold">
              {at === 0 ? 'One course' : 'The other course'}
              <select name={name} defaultValue={chosen[at]} className={`${select} mt-1.5`}>
                <option value="">Choose a course</option>
                {titles.map(({ slug, title }) => (
                  <option key={slug} value={slug}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          ))}
          <button type="submit" className={button.primary}>
            Compare
          </button>
        </Form>
        {pair && (
          <table className="tabular w-full max-w-5xl table-fixed text-left align-top max-sm:text-sm max-[18rem]:[&_:is(thead,tbody,tr,th,td)]:block max-[18rem]:[&_:is(th,td)]:w-full">
            <caption className="sr-only">The two courses side by side</caption>
            <thead>
              <tr className="align-bottom">
                <td className="w-1/4" />
                {pair.map((course) => (
                  <th key={course.slug} scope="col" className="pr-4 pb-4 text-lg max-sm:text-base wrap-anywhere">
                    <CourseLink course={course} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, first, second }) => (
                <tr key={name} className="border-t border-line align-top">
                  <th scope="row" className="py-3 pr-4 font-normal text-mute">
                    {name}
                  </th>
                  {first === second ? (
                    <td colSpan={2} className="py-3 whitespace-pre-line text-mute">
                      {first}
                    </td>
                  ) : (
                    [first, second].map((value, at) => (
                      <td key={pair[at]?.slug} className="py-3 pr-4 font-semibold whitespace-pre-line wrap-anywhere">
                        {value}
                      </td>
                    ))
                  )}
                </tr>
              ))}
              <tr className="no-print border-t border-line">
                <td />
                {pair.map(({ slug, title }) => (
                  <td key={slug} className="py-4 pr-4">
                    <Link
                      to={`${href('/enrol')}?course=${slug}`}
                      aria-label={`Enroll Now: ${title}`}
                      className={`${button.primary} max-sm:px-3`}
                    >
                      Enroll Now
                    </Link>
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        )}
      </div>
    </>
  );
}
