import { findByToken } from '#app/features/inbox/conversations/links.server.ts';
import { liveContext } from '#app/features/inbox/conversations/live.server.ts';
import { readVisitorPage } from '#app/features/inbox/conversations/visitor-page.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { networksOf } from '#app/http/client-address.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import type { Route } from './+types/live';

/** A stream that says when to look again, or for other clients the conversation as JSON. */
export async function loader({ context, request, params: { token } }: Route.LoaderArgs) {
  const academy = context.get(academyContext);
  if (!request.headers.get('Accept')?.includes('text/event-stream')) {
    const { holidays } = context.get(snapshotContext).current().bookings;
    const chat = await readVisitorPage(academy, token, holidays);
    return Response.json(chat, { status: chat ? 200 : 404, headers: { 'Cache-Control': 'no-store' } });
  }
  const id = await findByToken(academy.db, token);
  if (id === null) return new Response(null, { status: 404 });
  const { customer: network } = networksOf(context.get(clientAddressContext));
  return context.get(liveContext).open(id, { viewer: `visitor ${id}`, network });
}
