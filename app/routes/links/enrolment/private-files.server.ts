import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import type { DrawDocument } from '#app/documents/documents.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { placeEntry } from '#app/features/enrolments/words.ts';
import { factsOf } from '#app/features/money/documents.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { readMoneyRecords } from './money-records.server.ts';
import { type NotShown, readForAttendee, readForBuyer } from './private-links.server.ts';

/** A file to download: its name, type and bytes. */
export type PrivateFile = { name: string; type: string; body: string | Uint8Array<ArrayBuffer> };

/** A tax invoice or adjustment note of the buyer's enrolment by its name in the address, such as `inv-00042.pdf`. */
export async function moneyFile(
  desk: Academy,
  { token, file }: { token: string; file: string },
  draw: DrawDocument,
): Promise<PrivateFile | NotShown | 'not-drawn'> {
  const found = await readForBuyer(desk, token, async (trx, enrolment) => {
    const { documents } = await readMoneyRecords(trx, enrolment);
    const named = documents.find(({ number }) => `${number.toLowerCase()}.pdf` === file);
    return named ? factsOf(trx, named.document) : 'no-link';
  });
  if (typeof found === 'string') return found;
  // After the transaction: nobody waits with a connection for a drawing.
  const drawn = await draw(found);
  if (!drawn.ok) return 'not-drawn';
  return { name: `${found.facts.number}.pdf`, type: 'application/pdf', body: drawn.bytes };
}

/** The calendar entry of a place of the buyer's enrolment. */
export async function buyersCalendarFile(desk: Academy, token: string, placeId: string) {
  return readForBuyer(desk, token, async (_, enrolment, circumstances) =>
    calendarOf(enrolment, enrolment.places, placeId, circumstances),
  );
}

/** The calendar entry of an attendee's own place. */
export async function attendeesCalendarFile(desk: Academy, token: string, placeId: string) {
  return readForAttendee(desk, token, (enrolment, own, circumstances) =>
    calendarOf(enrolment, own, placeId, circumstances),
  );
}

function calendarOf(
  enrolment: Pick<Enrolment, 'reference' | 'sequence' | 'changedAt'>,
  places: readonly Place[],
  placeId: string,
  { academy }: Circumstances,
): PrivateFile | NotShown {
  const place = places.find(({ id, state }) => String(id) === placeId && state === 'active');
  if (place?.way !== 'session') return 'no-link';
  const entry = placeEntry(enrolment, place, { academy, attendee: place.attendee.email ?? academy.email });
  const body = dailyAppointmentFile('PUBLISH', enrolment.changedAt, entry);
  return { name: `${enrolment.reference}.ics`, type: 'text/calendar; charset=utf-8', body };
}
