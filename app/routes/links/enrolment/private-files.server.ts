import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import type { DrawDocument } from '#app/documents/documents.ts';
import { readMoneyRecords } from '#app/features/enrolments/account.server.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { placeEntry } from '#app/features/enrolments/words.ts';
import { factsOf, type MoneyDocument } from '#app/features/money/accounts.server.ts';
import { liveHoursFile } from '#app/features/study/live-hour-calendar.ts';
import { ownLiveHours } from '#app/features/study/live-hours.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { type NotShown, readForAttendee, readForBuyer } from './private-links.server.ts';

/** A file to download: its name, type and bytes. */
export type PrivateFile = { name: string; type: string; body: string | Uint8Array<ArrayBuffer> };

/** A tax invoice or adjustment note of the buyer's enrolment by its name in the address, such as `inv-00042.pdf`. */
export async function moneyFile(
  academy: Academy,
  { token, file }: { token: string; file: string },
  draw: DrawDocument,
): Promise<(PrivateFile & { document: MoneyDocument }) | NotShown | 'not-drawn'> {
  const found = await readForBuyer(academy, token, async (trx, enrolment, { now }) => {
    const { documents } = await readMoneyRecords(trx, enrolment, now);
    const named = documents.find(({ number }) => `${number.toLowerCase()}.pdf` === file);
    return named ? factsOf(trx, named.document) : 'no-link';
  });
  if (typeof found === 'string') return found;
  // After the transaction: nobody waits with a connection for a drawing.
  const drawn = await draw(found);
  if (!drawn.ok) return 'not-drawn';
  return { name: `${found.facts.number}.pdf`, type: 'application/pdf', body: drawn.bytes, document: found };
}

/** The calendar entry of a place of the buyer's enrolment. */
export async function buyersCalendarFile(academy: Academy, token: string, placeId: string) {
  return readForBuyer(academy, token, async (_, enrolment, moment) =>
    calendarOf(enrolment, enrolment.places, placeId, moment),
  );
}

/** The calendar entry of an attendee's own place; of guided study its live hours (P60). */
export async function attendeesCalendarFile(academy: Academy, token: string, placeId: string) {
  return readForAttendee(academy, token, async (enrolment, own, moment, _, trx) => {
    const guided = own.find(({ id, way }) => String(id) === placeId && way === 'guided');
    if (!guided) return calendarOf(enrolment, own, placeId, moment);
    const hours = (await ownLiveHours(trx, [guided], moment)).get(guided.id) ?? [];
    if (hours.length === 0) return 'no-link';
    const body = liveHoursFile(hours, { title: guided.courseTitle, enrolment, academy: moment.academy });
    return { name: `${enrolment.reference}-live-hours.ics`, type: calendarType, body };
  });
}

function calendarOf(
  enrolment: Pick<Enrolment, 'reference' | 'sequence' | 'changedAt'>,
  places: readonly Place[],
  placeId: string,
  { academy }: Moment,
): PrivateFile | NotShown {
  const place = places.find(({ id, state }) => String(id) === placeId && state === 'active');
  if (place?.way !== 'date') return 'no-link';
  const entry = placeEntry(enrolment, place, { academy, attendee: place.attendee.email ?? academy.email });
  const body = dailyAppointmentFile('PUBLISH', enrolment.changedAt, entry);
  return { name: `${enrolment.reference}.ics`, type: calendarType, body };
}

const calendarType = 'text/calendar; charset=utf-8';
