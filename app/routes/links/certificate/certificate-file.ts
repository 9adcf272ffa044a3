import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { findByLink } from '#app/features/study/certificates/queries.server.ts';
import { sheetOf } from '#app/features/study/certificates/sheet.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { fileResponse } from '#app/routes/links/enrolment/private-file.server.ts';
import type { Route } from './+types/certificate-file';

/** A certificate as PDF, under the private link of its place: the same bytes each time (P65). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(() => findByLink(db, params));
  if (found?.state !== 'issued') return fileResponse('no-link');
  const drawn = await context.get(drawContext)({
    kind: 'certificate',
    facts: sheetOf(found, found.holderName, context.get(baseUrlContext)),
  });
  if (!drawn.ok) return notDrawn();
  return fileResponse({ name: `certificate-${found.number}.pdf`, type: 'application/pdf', body: drawn.bytes });
}
