import type { Trx } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { signedInPlayer } from '#app/features/people/players.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { addWish, addWishes, removeWish } from '#app/features/wishes/commands.server.ts';
import { mostAsked, mostWishes } from '#app/features/wishes/rules.ts';
import { wishedCourses } from '#app/features/wishes/shown-course.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/wishes';

const noStore = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };

/** `GET /api/wishes?courses=cissp+security-plus`: what a list of wishes shows of these courses, without those not offered. */
export function loader({ context, url }: Route.LoaderArgs): Response {
  const slugs = slugsIn(url.searchParams.get('courses') ?? '', mostAsked);
  const today = academyToday(context.get(academyContext).clock);
  return Response.json(wishedCourses(slugs, context.get(snapshotContext).current(), today), { headers: noStore });
}

/**
 * `POST /api/wishes` of a player: `act` is `add` or `remove` with a `course`, or `join` with the `courses` of a device,
 * the latest first (P57). Answers 401 when nobody is signed in, 404 for a course that is not offered, 409 when there are
 * too many.
 */
export async function action({ context, request }: Route.ActionArgs): Promise<Response> {
  const { act = '', course = '', courses = '' } = textsOf(await readForm(request));
  const { db, clock } = context.get(academyContext);
  const { bySlug, aliases } = context.get(snapshotContext).current();
  const idOf = (slug: string) => bySlug.get(aliases.get(slug) ?? slug)?.id;
  const answer = (status: number) => Response.json({ ok: status === 200 }, { status, headers: noStore });
  try {
    const { player } = await signedInPlayer(context, request);
    if (!player || player.closing) return answer(401);
    const personId = player.person.id;
    const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    if (act === 'join') {
      const courseIds = slugsIn(courses, mostWishes).flatMap((slug) => idOf(slug) ?? []);
      await inTrx((trx) => addWishes(trx, { personId, courseIds }, clock.now()));
      return answer(200);
    }
    const courseId = idOf(course);
    if (courseId === undefined) return answer(404);
    if (act === 'remove') {
      await inTrx((trx) => removeWish(trx, { personId, courseId }, clock.now()));
      return answer(200);
    }
    if (act !== 'add') return answer(400);
    const added = await inTrx((trx) => addWish(trx, { personId, courseId }, clock.now()));
    return answer(added.ok ? 200 : 409);
  } catch (error) {
    if (!databaseTrouble(error)) throw error;
    return answer(503);
  }
}

const slugsIn = (text: string, most: number) =>
  text
    .split(/\s+/)
    .filter((slug) => slug !== '')
    .slice(0, most);
