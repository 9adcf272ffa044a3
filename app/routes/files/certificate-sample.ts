import { href, redirect } from 'react-router';
import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { recognitionOf } from '#app/features/site/recognition.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { filesContext } from '#app/http/traffic.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { Route } from './+types/certificate-sample';

/** The certificate of a course as a PDF, marked SAMPLE (P19). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { bySlug, aliases, site } = context.get(snapshotContext).current();
  const renamed = aliases.get(params.courseId);
  if (renamed) throw redirect(href('/course/:courseId/certificate-sample.pdf', { courseId: renamed }), 301);
  const card = bySlug.get(params.courseId)?.card;
  if (!card) return new Response('Not found\n', { status: 404 });
  const { name: academy, legalName: company, abn } = site;
  const asOf = academyToday(context.get(academyContext).clock);
  const shown = {
    academy,
    company,
    abn,
    courseTitle: card.title,
    hours: card.hours,
    recognition: recognitionOf(site),
    asOf,
  };
  const draw = context.get(drawContext);
  const pdf = await context.get(filesContext).get(`certificate-sample ${JSON.stringify(shown)}`, async () => {
    const drawn = await draw({ kind: 'certificate-sample', facts: shown });
    return drawn.ok ? drawn.bytes : null;
  });
  if (!pdf) return notDrawn();
  return new Response(pdf, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="certificate-sample-${card.slug}.pdf"`,
      'Cache-Control': 'public, max-age=3600',
    },
  });
}
