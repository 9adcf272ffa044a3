import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { recordOpening } from '#app/features/enrolments/links.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/document';
import { fileResponse } from './private-file.server.ts';
import { moneyFile } from './private-files.server.ts';

/** A tax invoice or adjustment note as PDF, made from its stored facts (P30). */
export async function loader({ context, request, params }: Route.LoaderArgs): Promise<Response> {
  const academy = context.get(academyContext);
  const found = await moneyFile(academy, params, context.get(drawContext));
  if (typeof found !== 'string') {
    const { kind: what, id: documentId } = found.document;
    await recordOpening(academy, request, { token: params.token, what, documentId });
  }
  return found === 'not-drawn' ? notDrawn() : fileResponse(found);
}
