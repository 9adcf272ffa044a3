import { moneyFile } from '#app/features/enrolments/own-pages/private-files.server.ts';
import type { Route } from './+types/document';
import { fileResponse } from './private-file.server.ts';
import { deskOf } from './private-page.server.ts';

/** A tax invoice or adjustment note as PDF, made from its stored facts (P30). */
export async function loader({ context, params: { token, file } }: Route.LoaderArgs): Promise<Response> {
  return fileResponse(await moneyFile(deskOf(context), token, file));
}
