import { Form, href } from 'react-router';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { longestSearch } from '#app/features/reports/find/search.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/find';
import { findAnything } from './find.server.ts';
import { Marked } from './marked.tsx';

/** Everything at once (P82); the dialog of the bar shows the same. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'todo:read');
  const academy = context.get(academyContext);
  const { today } = momentOf(academy);
  const byCard = context.get(stripeContext) !== null;
  return unlessDatabaseAway(() => findAnything(academy.db, actor, url.searchParams.get('q') ?? '', { today, byCard }));
}

/** The offer to enrol a person of the typed name, which is no result. */
const enrolsNamed = `${href('/staff/enrolments/new')}?find=`;

// The title leaves out the typed text: it may be a name, and the browser's history shows titles.
export const meta = () => staffMeta('Find');

export default function Find({ loaderData: { typed, words, groups } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Find" />
      <Form role="search" action={href('/staff/find')} className="mb-6 grid max-w-3xl gap-2 sm:grid-cols-[1fr_auto]">
        <label>
          <span className="sr-only">What to find</span>
          <input
            key={typed}
            type="search"
            name="q"
            defaultValue={typed}
            maxLength={longestSearch}
            autoComplete="off"
            placeholder="Name, email, phone, organisation, number, course, page"
            className={field}
          />
        </label>
        <button type="submit" className={button.quiet}>
          Find
        </button>
      </Form>
      {typed === '' && <Words>Type the beginning of a word, a phone number or a number such as BB-7KQ2MX.</Words>}
      {typed !== '' && groups.every(({ rows }) => rows.every(({ to }) => to.startsWith(enrolsNamed))) && (
        <Words>{`We found nothing for “${typed}”. Use fewer words or letters.`}</Words>
      )}
      <div className="grid max-w-5xl gap-6">
        {groups.map(({ name, rows, all }) => (
          <Section key={name} title={name} end={all && <TextLink to={all}>All in the list</TextLink>}>
            <Rows
              rows={rows}
              keyOf={({ to }) => to}
              leads
              columns="sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_7rem]"
              label={name}
            >
              {(row) => (
                <>
                  {row.file ? (
                    <a
                      href={row.to}
                      className="font-semibold underline-offset-3 after:absolute after:inset-0 hover:underline"
                    >
                      <Marked text={row.text} words={words} />
                    </a>
                  ) : (
                    <RowLink to={row.to}>
                      <Marked text={row.text} words={words} />
                    </RowLink>
                  )}
                  <span className="text-mute wrap-anywhere">
                    <Marked text={row.line} words={words} />
                  </span>
                  <span className="tabular text-mute sm:text-right">
                    <Marked text={row.end} words={words} />
                  </span>
                </>
              )}
            </Rows>
          </Section>
        ))}
      </div>
    </>
  );
}
