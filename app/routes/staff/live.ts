import { liveContext } from '#app/features/inbox/conversations/live.server.ts';
import { readForStaff } from '#app/features/inbox/conversations/queries.server.ts';
import { countChats } from '#app/features/inbox/count.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { networksOf } from '#app/http/client-address.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/live';

/**
 * A stream that says when to look again; for other clients as JSON how many conversations wait, or the conversation
 * that the query names.
 */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'conversations:read');
  if (request.headers.get('Accept')?.includes('text/event-stream')) {
    const { customer: network } = networksOf(context.get(clientAddressContext));
    return context.get(liveContext).open(null, { viewer: `staff ${actor.person.id}`, network });
  }
  const { db, clock } = context.get(academyContext);
  const asked = url.searchParams.get('conversation');
  return unlessDatabaseAway(async () => {
    if (asked === null) return Response.json({ waiting: await countChats(db, actor, clock.now()) });
    const conversation = /^\d{1,15}$/.test(asked) ? await readForStaff(db, actor, Number(asked), clock.now()) : null;
    return Response.json(conversation, { status: conversation ? 200 : 404 });
  });
}
