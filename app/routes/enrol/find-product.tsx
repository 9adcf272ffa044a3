import { Form, href, Link } from 'react-router';
import { longestSearch } from '#app/features/catalogue/longest-search.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';

type Found = { address: string; title: string; text: string; priceCents: number };
export type Findings = {
  search: string;
  /** Courses that match, the first of them. */
  courses: Found[];
  matching: number;
  /** True when none matches, and these come near. */
  near: boolean;
  courseDates: Found[];
  combos: Found[];
};

/** The choice without a product in the address: a search of the catalogue, and popular courses. */
export function FindProduct({ search, courses, matching, near, courseDates, combos }: Findings) {
  return (
    <div className="page grid gap-12 py-8 lg:py-12">
      <Form action={href('/enrol')} role="search" className="max-w-2xl">
        <label htmlFor="search" className="mb-1.5 block font-bold">
          Which course, certification or exam?
        </label>
        <div className="flex flex-wrap gap-2">
          <input
            id="search"
            name="search"
            type="search"
            defaultValue={search}
            maxLength={longestSearch}
            className={`${field} min-w-0 grow basis-56`}
          />
          <button type="submit" className={button.primary}>
            Search
          </button>
        </div>
      </Form>
      {search !== '' && (
        <Section title={foundTitle(search, matching, near)} found={courses}>
          {matching === 0
            ? 'Try another word, or an exam code such as SY0-701.'
            : matching > courses.length && `The first ${courses.length} are listed; add a word to narrow them.`}
        </Section>
      )}
      <Section title="Dates to come" found={courseDates} />
      <Section title="Combos" found={combos} />
    </div>
  );
}

function foundTitle(search: string, matching: number, near: boolean): string {
  if (matching === 0) return `Nothing matches “${search}”`;
  const courses = matching === 1 ? 'course' : 'courses';
  if (near)
    return `Nothing matches “${search}” exactly; ${matching} ${courses} ${matching === 1 ? 'comes' : 'come'} close`;
  return `${matching} ${courses} ${matching === 1 ? 'matches' : 'match'} “${search}”`;
}

function Section({ title, found, children }: { title: string; found: Found[]; children?: React.ReactNode }) {
  if (found.length === 0 && !children) return null;
  return (
    <section>
      <h2 className="text-3xl">{title}</h2>
      {children && <p className="mt-3 max-w-prose">{children}</p>}
      <ul className="mt-5 grid gap-3 md:grid-cols-2">
        {found.map(({ address, title: name, text, priceCents }) => (
          <li key={address}>
            <Link
              to={address}
              className="flex h-full items-start justify-between gap-4 rounded-control border border-edge bg-card px-4 py-3 hover:border-ink"
            >
              <span className="min-w-0">
                <b className="block text-link">
                  <Unbroken text={name} />
                </b>
                <span className="text-mute">
                  <Unbroken text={text} />
                </span>
              </span>
              <span className="tabular shrink-0 text-right">
                <b className="block">{formatMoney(priceCents)}</b>
                <span className="text-sm text-mute">incl. GST</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
