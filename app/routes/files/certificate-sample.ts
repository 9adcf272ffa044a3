import { href, redirect } from 'react-router';
import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { sampleSheet } from '#app/features/study/certificates/sheet.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { filesContext } from '#app/http/traffic.server.ts';
import type { Route } from './+types/certificate-sample';

/** The certificate of a course as a PDF, marked SAMPLE (P19). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const store = context.get(snapshotContext);
  const { bySlug, aliases, exams, instructors } = store.current();
  const renamed = aliases.get(params.courseId);
  if (renamed) throw redirect(href('/course/:courseId/certificate-sample.pdf', { courseId: renamed }), 301);
  const listed = bySlug.get(params.courseId);
  if (!listed) return new Response('Not found\n', { status: 404 });
  const { id, card, examCodes, instructorSlug } = listed;
  const read = await store.details(id);
  if (!read.ok) return notDrawn();
  const { academy, today } = momentOf(context.get(academyContext));
  const shown = sampleSheet(
    {
      course: card,
      completion: read.details.completion,
      instructor: instructors.get(instructorSlug)?.name ?? '',
      exams: examCodes.flatMap((code) => exams.get(code) ?? []),
      academy,
      asOf: today,
    },
    context.get(baseUrlContext),
  );
  const draw = context.get(drawContext);
  const pdf = await context.get(filesContext).get(`certificate-sample ${JSON.stringify(shown)}`, async () => {
    const drawn = await draw({ kind: 'certificate', facts: shown });
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
