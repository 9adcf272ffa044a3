import type { Route } from './+types/attendees-calendar';
import { fileResponse } from './private-file.server.ts';
import { attendeesCalendarFile } from './private-files.server.ts';
import { deskOf } from './private-page.server.ts';

export async function loader({ context, params: { token, placeId } }: Route.LoaderArgs): Promise<Response> {
  return fileResponse(await attendeesCalendarFile(deskOf(context), token, placeId));
}
