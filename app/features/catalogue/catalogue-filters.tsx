import { type FormEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import { onPlainClick } from '#app/ui/plain-click.ts';
import { Sign } from '#app/ui/sign.tsx';
import type { CataloguePage } from './catalogue-page.ts';
import { longestSearch } from './longest-search.ts';
import { listingSearch, parseListingQuery } from './schema.ts';

const typingPauseMs = 300;

type Props = {
  page: CataloguePage;
  base: string;
  hash: string;
  show: (search: string, how?: { replace?: boolean; hash?: string }) => void;
  /** Whether a list is shown already or on its way. */
  isComing: (search: string) => boolean;
  /** Called at the first sign that somebody is going to filter. */
  aboutToFilter: () => void;
};

/**
 * Search box, category, level and Clear Filters. A plain form; with JavaScript a choice applies at once and a search
 * when typing pauses. The fields keep their own values, so that what is typed while a list loads is not lost.
 */
export function CatalogueFilters({ page, base, hash, show, isComing, aboutToFilter }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(page.query.search);
  const { query, categories, levels } = page;

  // The address may change without the form: by back and forward, Clear Filters, or a link to a category.
  // On the first run the fields may be ahead of the address: a visitor may choose before React has started.
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes, with what stands then
  useEffect(() => {
    if (first.current) {
      first.current = false;
      apply({ replace: true });
      return;
    }
    const fields = form.current?.elements;
    if (!fields) return;
    setValue(fields.namedItem('category'), query.category);
    setValue(fields.namedItem('level'), query.level);
    if (query.search !== sent.current) setValue(fields.namedItem('search'), query.search);
    sent.current = query.search;
  }, [query]);
  useEffect(() => () => clearTimeout(pause.current), []);

  function apply(how: { replace: boolean }) {
    clearTimeout(pause.current);
    if (!form.current) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) params.set(name, String(value));
    const wanted = { ...parseListingQuery(params), sort: query.sort, page: 1 };
    sent.current = wanted.search;
    const search = listingSearch(wanted);
    // Compared with the requested list, not the shown one: a visitor who undoes a choice before the answer wants the
    // first list again.
    if (!isComing(search)) show(search, how);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    apply({ replace: false });
  }

  function searchSoon() {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => apply({ replace: true }), typingPauseMs);
  }

  const filtered = listingSearch({ ...query, page: 1 }) !== '';
  return (
    <search>
      <form
        ref={form}
        action={`${base}${hash}`}
        autoComplete="off"
        toolname="filter_courses"
        tooldescription="Narrows the list of courses on this page by words, category and level. Leave a field empty to include everything."
        toolautosubmit=""
        onSubmit={submit}
        onFocus={aboutToFilter}
        onPointerEnter={aboutToFilter}
        className="grid grid-cols-[1.25fr_1fr] gap-2 sm:grid-cols-2 sm:gap-3 lg:grid-cols-[2.2fr_1.1fr_1fr_auto]"
      >
        <div className="relative col-span-2 lg:col-span-1">
          <input
            type="search"
            name="search"
            maxLength={longestSearch}
            defaultValue={query.search}
            onInput={searchSoon}
            placeholder="Search quests"
            aria-label="Search quests"
            toolparamdescription="Words in the title or description of a course"
            className={`${field} pr-12`}
          />
          <button
            type="submit"
            aria-label="Search"
            className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-control text-mute hover:text-ink"
          >
            <Sign name="search" className="size-5" />
          </button>
        </div>
        <select
          name="category"
          aria-label="Category"
          toolparamdescription="The subject, vendor or certification body of a course"
          defaultValue={query.category}
          onChange={() => apply({ replace: false })}
          className={select}
        >
          <option value="">All Courses</option>
          {categories.main.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <optgroup label="More categories">
            {categories.more.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </optgroup>
          {categories.other && <option value={categories.other.value}>{categories.other.label}</option>}
        </select>
        <select
          name="level"
          aria-label="Level"
          toolparamdescription="How much you should already know"
          defaultValue={query.level}
          onChange={() => apply({ replace: false })}
          className={select}
        >
          <option value="">All Levels</option>
          {levels.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {query.sort !== 'popular' && <input type="hidden" name="sort" value={query.sort} />}
        <Link
          to={`${base}${hash}`}
          preventScrollReset
          onClick={onPlainClick(() => show('', { hash }))}
          aria-disabled={filtered ? undefined : true}
          className={`${button.quiet} col-span-2 lg:col-span-1`}
        >
          Clear Filters
        </Link>
      </form>
    </search>
  );
}

function setValue(element: Element | RadioNodeList | null, value: string): void {
  if ((element instanceof HTMLInputElement || element instanceof HTMLSelectElement) && element.value !== value) {
    element.value = value;
  }
}
