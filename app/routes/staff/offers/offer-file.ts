import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { offerFile } from '#app/features/companies/rules.ts';
import { findOfferForStaff } from '#app/features/companies/staff-queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/offer-file';
import { idOf } from './offer-words.ts';

/** A quote as PDF for staff: without the link, which is the customer's alone. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'companies:read');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(() => findOfferForStaff(db, actor, idOf(params.id)));
  if (!found?.offer.facts || !found.offer.number) return new Response('Not found\n', { status: 404 });
  const { facts, number, version } = found.offer;
  const drawn = await context.get(drawContext)({ kind: 'offer', facts: { ...facts, link: null } });
  if (!drawn.ok) return notDrawn();
  return new Response(drawn.bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${offerFile(number, version)}"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
