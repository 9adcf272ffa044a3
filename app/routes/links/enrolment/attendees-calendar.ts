import { recordOpening } from '#app/features/enrolments/links.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/attendees-calendar';
import { fileResponse } from './private-file.server.ts';
import { attendeesCalendarFile } from './private-files.server.ts';

export async function loader({ context, request, params: { token, placeId } }: Route.LoaderArgs): Promise<Response> {
  const academy = context.get(academyContext);
  const found = await attendeesCalendarFile(academy, token, placeId);
  if (typeof found !== 'string') await recordOpening(academy, request, { token, what: 'calendar' });
  return fileResponse(found);
}
