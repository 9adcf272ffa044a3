import type { ReactNode } from 'react';
import { Form, href } from 'react-router';
import { changesInWords, detailsInWords, fieldInWords, isText } from '#app/audit/details-in-words.ts';
import { labelOf } from '#app/features/content/words.ts';
import { actionInWords } from '#app/features/people/action-words.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readActorsForStaff, readSubjects, readTraceForStaff } from '#app/features/reports/trace.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { diffWords, shortened } from '#app/lib/diff-words.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Difference } from '#app/ui/staff/difference.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/trace';
import { pageOfSubject, subjectInWords, traceFilterOf, traceKinds, traceQueryOf } from './trace-filter.ts';

const pageSize = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'trace:read');
  const { db } = context.get(academyContext);
  const { before, ...filter } = traceFilterOf(url.searchParams);
  const { entries, actors, subjectOf } = await unlessDatabaseAway(async () => {
    const entries = await readTraceForStaff(db, actor, filter, { before, limit: pageSize + 1 });
    const subjects = entries.map(({ subject }) => subject);
    return {
      entries,
      actors: await readActorsForStaff(db, actor),
      subjectOf: await readSubjects(db, actor, subjects),
    };
  });
  const shown = entries.slice(0, pageSize);
  const query = traceQueryOf(filter).toString();
  const last = shown.at(-1)?.id;
  return {
    filter: { ...filter, who: filter.who === null ? '' : String(filter.who) },
    actors: actors.map(({ id, name }) => ({ id: String(id), name })),
    entries: shown.map(({ id, at, by, action, subject, person, details, changes }) => {
      const known = subjectOf.get(subject);
      const name = person ?? known?.name ?? null;
      const plain = subjectInWords(subject);
      const nameOf = (field: string) => (known?.kind ? labelOf(known.kind, field) : fieldInWords(field));
      // A reference that people look for stays beside the name.
      const beside = name === null || known?.page || subject.startsWith('course-date:') || person ? null : plain;
      return {
        id,
        at: formatMoment(at),
        by: by ?? 'The program',
        did: actionInWords(action),
        subject: showControlCharacters(name ?? plain),
        beside,
        page: known?.page ?? pageOfSubject(subject),
        details: showControlCharacters(detailsInWords(details)),
        changes: changesInWords(
          changes.filter((change) => !isText(change)),
          nameOf,
        ).map(showControlCharacters),
        texts: changes.filter(isText).map(({ field: name, before, after }) => ({
          name: nameOf(name),
          parts: shortened(diffWords(showControlCharacters(before), showControlCharacters(after))),
        })),
      };
    }),
    file: `${href('/staff/:list.csv', { list: 'trace' })}${query && `?${query}`}`,
    first: before === null ? null : `${href('/staff/trace')}${query && `?${query}`}`,
    older:
      entries.length > pageSize && last !== undefined
        ? `${href('/staff/trace')}?${query && `${query}&`}before=${last}`
        : null,
  };
}

export const meta: Route.MetaFunction = () => staffMeta('Who did what');

export default function Trace({ loaderData }: Route.ComponentProps) {
  const { entries, file, first, older } = loaderData;
  return (
    <>
      <PageHead title="Who did what">
        <OnlyWith permission="lists:export">
          <a href={file} className={button.quiet}>
            Export CSV
          </a>
        </OnlyWith>
      </PageHead>
      <Filters {...loaderData} />
      {entries.length === 0 ? (
        <Words>Nobody did anything like that. Take a filter away to see more.</Words>
      ) : (
        <Table label="Who did what" stacks head={['When', 'Who', 'What', 'About', 'In detail']}>
          {entries.map(({ id, at, by, did, subject, beside, page, details, changes, texts }) => (
            <tr key={id}>
              <td className="whitespace-nowrap text-mute max-sm:col-span-1">{at}</td>
              <td className="whitespace-nowrap max-sm:order-first max-sm:col-span-1 max-sm:font-semibold">{by}</td>
              <td className="min-w-28 max-sm:col-span-1">{did}</td>
              <td className="min-w-28 wrap-anywhere max-sm:col-span-1">
                {page ? <TextLink to={page}>{subject}</TextLink> : subject}
                {beside && <span className="text-mute"> {beside}</span>}
              </td>
              <td className="w-2/5 min-w-40 wrap-anywhere text-mute">
                {details && changes.length + texts.length === 0 && (
                  <p>
                    <Unbroken text={details} />
                  </p>
                )}
                {changes.map((change) => (
                  <p key={change}>
                    <Unbroken text={change} />
                  </p>
                ))}
                {texts.map(({ name, parts }) => (
                  <p key={name}>
                    {name}: <Difference parts={parts} />
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <nav aria-label="Pages" className="mt-4 flex gap-6">
        {first && <TextLink to={first}>Newest</TextLink>}
        {older && <TextLink to={older}>Older</TextLink>}
      </nav>
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

function Filters({ filter, actors }: Pick<Data, 'filter' | 'actors'>) {
  return (
    // A new address fills the fields anew.
    <Form
      key={JSON.stringify(filter)}
      role="search"
      action={href('/staff/trace')}
      className="mb-5 grid items-end gap-3 sm:grid-cols-3 lg:grid-cols-[repeat(5,minmax(0,1fr))_auto]"
    >
      <Labelled name="who" text="Who">
        <select id="who" name="who" defaultValue={filter.who} className={select}>
          <option value="">Everybody</option>
          <option value="program">The program</option>
          {actors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled name="kind" text="Kind">
        <select id="kind" name="kind" defaultValue={filter.kind ?? ''} className={select}>
          <option value="">All</option>
          {Object.entries(traceKinds).map(([kind, text]) => (
            <option key={kind} value={kind}>
              {text}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled name="about" text="About">
        <input
          id="about"
          name="about"
          defaultValue={filter.about ?? ''}
          placeholder="BB-7KQ2MX"
          autoComplete="off"
          className={field}
        />
      </Labelled>
      <Labelled name="from" text="From">
        <input id="from" name="from" type="date" defaultValue={filter.from ?? ''} className={field} />
      </Labelled>
      <Labelled name="to" text="To">
        <input id="to" name="to" type="date" defaultValue={filter.to ?? ''} className={field} />
      </Labelled>
      <button type="submit" className={button.quiet}>
        Show
      </button>
    </Form>
  );
}

/** A field with its label; the control has the id `name`. */
function Labelled({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={name} className="text-sm">
        {text}
      </label>
      {children}
    </div>
  );
}
