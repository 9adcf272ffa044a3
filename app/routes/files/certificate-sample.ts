import { certificatePdf } from '../../documents/certificate.tsx';
import { catalogueContext } from '../../features/catalogue/catalogue.server.ts';
import type { Route } from './+types/certificate-sample';

/** The certificate of a course as a PDF, marked SAMPLE (P19). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { bySlug, site } = context.get(catalogueContext).snapshot();
  const card = bySlug.get(params.courseId)?.card;
  if (!card) return new Response('Not found\n', { status: 404 });
  const pdf = await certificatePdf({ academy: site.name, courseTitle: card.title, hours: card.hours, sample: true });
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="certificate-sample-${card.slug}.pdf"`,
      'Cache-Control': 'public, max-age=3600',
    },
  });
}
