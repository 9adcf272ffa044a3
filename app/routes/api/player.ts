import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { signedInPlayer } from '#app/features/people/players.server.ts';
import { nameOf } from '#app/features/people/queries.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { bowerRecords } from '#app/features/study/completion.server.ts';
import type { PlayerAnswer } from '#app/features/study/late-script.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/player';

/**
 * The parts of public pages that belong to the player, written after they are painted: name and own progress; null for
 * everybody else and for an account that is closed (P55). Kept by no cache.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const noStore = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };
  try {
    const { player, cookies } = await signedInPlayer(context, request);
    const headers = new Headers(noStore);
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    if (!player || player.closing) return Response.json(null, { headers });
    const { db } = context.get(academyContext);
    const { aliases } = context.get(snapshotContext).current();
    const [known, records] = await Promise.all([nameOf(db, player.person), bowerRecords(db, player.person.id)]);
    const name = known?.split(/\s+/)[0] || null;
    const answer: PlayerAnswer = { name, progress: {} };
    for (const { courseSlug, state, percent, xp, courseXp } of records) {
      const slug = aliases.get(courseSlug) ?? courseSlug;
      const finished = state === 'finished';
      const before = answer.progress[slug];
      // Of several places in one course, the one with most progress. A place that has not begun changes nothing on the
      // card.
      if (state === 'left' || (percent === 0 && !finished) || (before && (before.finished || before.percent > percent)))
        continue;
      answer.progress[slug] = { percent, xp, courseXp, finished };
    }
    return Response.json(answer, { headers });
  } catch (error) {
    if (!databaseTrouble(error)) throw error;
    return Response.json(null, { status: 503, headers: noStore });
  }
}
