import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { documentOf } from '#app/features/enrolments/money/documents.server.ts';
import { readMoneyRecords } from '#app/features/enrolments/money/money-records.server.ts';
import { placeEntry } from '#app/features/enrolments/words.ts';
import { type LinkDesk, type NotShown, readForAttendee, readForBuyer } from './private-links.server.ts';

/** A file to download: its name, type and bytes. */
export type PrivateFile = { name: string; type: string; body: string | Uint8Array<ArrayBuffer> };

/** A tax invoice or adjustment note of the buyer's enrolment by its name in the address, such as `inv-00042.pdf`. */
export async function moneyFile(desk: LinkDesk, token: string, file: string): Promise<PrivateFile | NotShown> {
  return readForBuyer(desk, token, async (trx, enrolment) => {
    const { documents } = await readMoneyRecords(trx, enrolment);
    const found = documents.find(({ number }) => `${number.toLowerCase()}.pdf` === file);
    if (!found) return 'no-link';
    const body = new Uint8Array(await documentOf(trx, found.document));
    return { name: `${found.number}.pdf`, type: 'application/pdf', body };
  });
}

/** The calendar entry of a place of the buyer's enrolment. */
export async function buyersCalendarFile(desk: LinkDesk, token: string, placeId: string) {
  return readForBuyer(desk, token, async (_, enrolment, circumstances) =>
    calendarOf(enrolment, enrolment.places, placeId, circumstances),
  );
}

/** The calendar entry of an attendee's own place. */
export async function attendeesCalendarFile(desk: LinkDesk, token: string, placeId: string) {
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
