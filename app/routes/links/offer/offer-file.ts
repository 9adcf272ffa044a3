import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { offerPath } from '#app/features/companies/links.server.ts';
import { findOffer } from '#app/features/companies/queries.server.ts';
import { offerFile } from '#app/features/companies/rules.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/offer-file';

/** A quote as PDF, made from its stored facts, with the link on which it is accepted (P111). */
export async function loader({ context, params: { token, file } }: Route.LoaderArgs): Promise<Response> {
  const { db, academy } = context.get(academyContext);
  const offer = await unlessDatabaseAway(() => findOffer(db, token));
  const name = offer?.number ? offerFile(offer.number, offer.version) : null;
  if (!offer?.facts || name?.toLowerCase() !== file) return new Response('Not found\n', { status: 404 });
  const link = `${academy().url}${offerPath(token)}`;
  const drawn = await context.get(drawContext)({ kind: 'offer', facts: { ...offer.facts, link } });
  if (!drawn.ok) return notDrawn();
  return new Response(drawn.bytes, {
    headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${name}"` },
  });
}
