import type { PrivateFile } from './private-files.server.ts';
import type { NotShown } from './private-links.server.ts';

/** Answers with a file under a private link, or says why there is none. */
export function fileResponse(found: PrivateFile | NotShown): Response {
  if (found === 'no-link') return new Response('Not found\n', { status: 404 });
  if (found === 'away') {
    const text =
      'Our system is not available. The enrolment is saved and is not lost. Please try again in a few minutes.\n';
    return new Response(text, { status: 503, headers: { 'Retry-After': '60' } });
  }
  return new Response(found.body, {
    headers: { 'Content-Type': found.type, 'Content-Disposition': `attachment; filename="${found.name}"` },
  });
}
