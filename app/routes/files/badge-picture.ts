import { numberOf } from '#app/features/study/certificates/number.ts';
import { findCertificate } from '#app/features/study/certificates/queries.server.ts';
import { treasureOfCertificate } from '#app/features/study/certificates/sheet.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { filesContext, takeTurnContext } from '#app/http/traffic.server.ts';
import { drawTreasure } from '#app/seo/draw-treasure.server.ts';
import type { Route } from './+types/badge-picture';

/** The treasure of a certificate as PNG: the picture of its badge. The same for all of a course, level and split. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { db } = context.get(academyContext);
  const number = numberOf(params.number);
  const certificate = await unlessDatabaseAway(async () => (number ? findCertificate(db, number) : null));
  if (!certificate) return new Response('Not found\n', { status: 404 });
  const treasure = treasureOfCertificate(certificate);
  const takeTurn = context.get(takeTurnContext);
  const png = await context
    .get(filesContext)
    .get(`treasure ${JSON.stringify(treasure)}`, () => takeTurn(() => drawTreasure(treasure)));
  return new Response(png, {
    headers: {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=86400',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Robots-Tag': 'noindex',
    },
  });
}
