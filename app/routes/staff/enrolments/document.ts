import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/document';
import { findDocumentForStaff } from './documents.server.ts';

/** A tax invoice or adjustment note as PDF, made again from its stored facts (P30). */
export async function loader({ context, params: { kind, id } }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'money:read');
  const { db } = context.get(academyContext);
  const known = (kind === 'tax-invoice' || kind === 'adjustment-note') && /^\d{1,15}$/.test(id);
  const document = known
    ? await unlessDatabaseAway(() => findDocumentForStaff(db, actor, kind, Number(id)))
    : undefined;
  if (!document) return new Response('Not found\n', { status: 404 });
  const drawn = await context.get(drawContext)(document);
  if (!drawn.ok) return notDrawn();
  return new Response(drawn.bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${document.facts.number}.pdf"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
