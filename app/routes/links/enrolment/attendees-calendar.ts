import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/attendees-calendar';
import { fileResponse } from './private-file.server.ts';
import { attendeesCalendarFile } from './private-files.server.ts';

export async function loader({ context, params: { token, placeId } }: Route.LoaderArgs): Promise<Response> {
  return fileResponse(await attendeesCalendarFile(context.get(academyContext), token, placeId));
}
