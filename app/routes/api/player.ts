import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { signedInPlayer } from '#app/features/people/players.server.ts';
import type { Route } from './+types/player';

/** What public pages show of the player after they are painted; null for everybody else (P55). Kept by no cache. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const noStore = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };
  try {
    const { player, cookies } = await signedInPlayer(context, request);
    const headers = new Headers(noStore);
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    const name = player && (player.person.name?.split(/\s+/)[0] || null);
    const initial = player && [...(name ?? player.person.email)][0]?.toUpperCase();
    return Response.json(player && { name, initial }, { headers });
  } catch (error) {
    if (!databaseTrouble(error)) throw error;
    return Response.json(null, { status: 503, headers: noStore });
  }
}
