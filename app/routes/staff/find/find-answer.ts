import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/find-answer';
import { findAnything } from './find.server.ts';

/** The results of the page as JSON, for the dialog. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'todo:read');
  const academy = context.get(academyContext);
  const { today } = momentOf(academy);
  const byCard = context.get(stripeContext) !== null;
  const found = await unlessDatabaseAway(() =>
    findAnything(academy.db, actor, url.searchParams.get('q') ?? '', { today, byCard }),
  );
  return Response.json(found);
}
