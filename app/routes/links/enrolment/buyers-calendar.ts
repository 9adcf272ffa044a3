import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/buyers-calendar';
import { fileResponse } from './private-file.server.ts';
import { buyersCalendarFile } from './private-files.server.ts';

export async function loader({ context, params: { token, placeId } }: Route.LoaderArgs): Promise<Response> {
  return fileResponse(await buyersCalendarFile(context.get(academyContext), token, placeId));
}
