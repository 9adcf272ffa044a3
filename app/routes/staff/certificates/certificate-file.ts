import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { numberOf } from '#app/features/study/certificates/number.ts';
import { sheetOf } from '#app/features/study/certificates/sheet.server.ts';
import { findCertificateToPrint } from '#app/features/study/certificates/staff-list.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/certificate-file';

/** A certificate as PDF, to print for attendees without an email address. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'certificates:issue');
  const { db } = context.get(academyContext);
  const number = numberOf(params.number);
  const found = number ? await unlessDatabaseAway(() => findCertificateToPrint(db, actor, number)) : null;
  if (found?.state !== 'issued') return new Response('Not found\n', { status: 404 });
  const facts = sheetOf(found, found.holderName, context.get(baseUrlContext));
  const drawn = await context.get(drawContext)({ kind: 'certificate', facts });
  if (!drawn.ok) return notDrawn();
  return new Response(drawn.bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="certificate-${found.number}.pdf"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
