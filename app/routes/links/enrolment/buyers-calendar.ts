import type { Route } from './+types/buyers-calendar';
import { fileResponse } from './private-file.server.ts';
import { buyersCalendarFile } from './private-files.server.ts';
import { deskOf } from './private-page.server.ts';

export async function loader({ context, params: { token, placeId } }: Route.LoaderArgs): Promise<Response> {
  return fileResponse(await buyersCalendarFile(deskOf(context), token, placeId));
}
