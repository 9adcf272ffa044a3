import { listPeople } from '#app/features/people/people-list.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { listTabs } from '#app/routes/staff/lists/list-tabs.server.ts';
import { SaveView } from '#app/routes/staff/lists/save-view.tsx';
import { ListPage } from '#app/ui/staff/list-page.tsx';
import type { Route } from './+types/people';
import { peopleKinds, peopleList } from './people-list.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'people:read');
  const { db } = context.get(academyContext);
  const view = peopleList.viewOf(url.searchParams);
  return unlessDatabaseAway(async () => {
    const { people, ...found } = await listPeople(db, actor, view);
    const page = peopleList.pageOf(view, found);
    const kinds = Object.entries(peopleKinds).map(([kind, text]) => [text, `kind=${kind}`] as const);
    const { path } = peopleList;
    return {
      ...page,
      form: blankStaffForm(0),
      ...(await listTabs(db, actor, { list: 'people', path, query: page.query, builtIn: kinds })),
      rows: people.map((person) => peopleList.show(person, shownPhone(person.phone))),
    };
  });
}

export const meta = () => staffMeta('People');

export default function People({ loaderData }: Route.ComponentProps) {
  const { form, tabs, isNamed, rows, ...page } = loaderData;
  const { view, query, older } = page;
  return (
    <ListPage
      list={peopleList}
      page={page}
      tabs={tabs}
      saving={<SaveView list="people" query={query} form={form} isNamed={isNamed} />}
      searches="Name, email, phone, organisation"
      chips={peopleList.chipsOf(view, { kind: (kind) => ['Who', peopleKinds[kind]] })}
      rows={rows}
      keyOf={({ id }) => id}
      choosing={{
        list: query,
        all: null,
        acts: [{ to: `${peopleList.path}.csv`, text: 'Export as CSV', needs: 'lists:export' }],
        labelOf: ({ name, email }) => name + (email && `, ${email}`),
      }}
      none={
        older
          ? 'None of those we looked at match. "Older" looks further.'
          : 'Nobody matches. Use fewer words or letters.'
      }
    />
  );
}
