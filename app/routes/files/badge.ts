import { findBadge } from '#app/features/study/badges/queries.server.ts';
import { numberOf } from '#app/features/study/certificates/number.ts';
import { findCertificate } from '#app/features/study/certificates/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/badge';
import { signedJson } from './signed-json.ts';

/** The Open Badge of a certificate, byte by byte as it was signed (P66). One that does not hold any more says so by its list. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { db } = context.get(academyContext);
  const number = numberOf(params.number);
  const badge = await unlessDatabaseAway(async () => {
    const certificate = number && (await findCertificate(db, number));
    return certificate ? findBadge(db, certificate.id) : null;
  });
  if (!badge) return new Response('Not found\n', { status: 404 });
  return signedJson(badge.credential, {
    'Content-Disposition': `attachment; filename="badge-${number}.json"`,
    'Cache-Control': 'no-cache',
  });
}
