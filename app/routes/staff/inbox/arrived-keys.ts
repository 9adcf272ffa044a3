import { viewOf } from '#app/features/inbox/inbox-address.ts';
import { readInbox } from '#app/features/inbox/read.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/arrived-keys';

/** The keys of the present rows of a view of the inbox, by which an open page finds new ones. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'inbox:read');
  const { db, clock } = context.get(academyContext);
  const view = viewOf(url.searchParams);
  const { items } = await unlessDatabaseAway(() => readInbox(db, actor, { now: clock.now(), view }));
  return Response.json(items.map(({ key }) => key));
}
