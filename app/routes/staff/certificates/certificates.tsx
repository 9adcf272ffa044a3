import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listCertificates } from '#app/features/study/certificates/staff-list.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ListPage } from '#app/ui/staff/list-page.tsx';
import type { Route } from './+types/certificates';
import { certificateList, certificateStates } from './certificate-list.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'certificates:read');
  const academy = context.get(academyContext);
  const view = certificateList.viewOf(url.searchParams);
  const { certificates, ...page } = await unlessDatabaseAway(() =>
    listCertificates(academy.db, actor, view, momentOf(academy)),
  );
  return { ...certificateList.pageOf(view, page), rows: certificates.map((one) => certificateList.show(one)) };
}

export const meta = () => staffMeta('Certificates');

export default function Certificates({ loaderData: { rows, ...page } }: Route.ComponentProps) {
  const { view } = page;
  const nothing = view.values.state === 'look' ? 'Nothing to look at.' : 'No certificates here.';
  return (
    <ListPage
      list={certificateList}
      page={page}
      tabs={certificateList.tabsOf(view, 'state', certificateStates)}
      searches="Number, name, course"
      rows={rows}
      keyOf={({ number }) => number}
      none={view.search ? 'No matches. Try fewer words.' : nothing}
    />
  );
}
