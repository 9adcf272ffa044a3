import { drawContext, notDrawn } from '#app/documents/documents.ts';
import type { Route } from './+types/document';
import { fileResponse } from './private-file.server.ts';
import { moneyFile } from './private-files.server.ts';
import { deskOf } from './private-page.server.ts';

/** A tax invoice or adjustment note as PDF, made from its stored facts (P30). */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const found = await moneyFile(deskOf(context), params, context.get(drawContext));
  return found === 'not-drawn' ? notDrawn() : fileResponse(found);
}
