import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { findLink } from './links.server.ts';

/** A thing that can be opened by a private link: the page, a document, or the calendar entry of a place. */
type Opened = { what: 'page' | 'calendar' } | { what: 'tax-invoice' | 'adjustment-note'; documentId: number };

/**
 * Remembers when a buyer or an attendee opened something of theirs for the first time (P83), so that staff know on the
 * telephone what the caller has seen; later openings change nothing. Only what a browser asks for counts: scanners of
 * mail open every link. What was asked for is shown whether it was remembered or not.
 */
export async function recordOpening(
  { db, clock }: Pick<Academy, 'db' | 'clock'>,
  request: Request,
  { token, ...opened }: Opened & { token: string },
): Promise<void> {
  if (!isByBrowser(request)) return;
  try {
    const link = await findLink(db, token);
    if (!link) return;
    await db
      .insertInto('first_openings')
      .values({
        enrolment_id: link.enrolmentId,
        attendee_id: link.attendeeId,
        what: opened.what,
        document_id: 'documentId' in opened ? opened.documentId : null,
        opened_at: clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['enrolment_id', 'attendee_id', 'what', 'document_id']).doNothing())
      .execute();
  } catch (error) {
    if (databaseTrouble(error) === null) throw error;
  }
}

/** Browsers say how they fetch; a page fetched ahead has not been opened. */
const isByBrowser = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.has('Sec-Fetch-Mode') && !headers.has('Sec-Purpose') && !headers.has('Purpose');

/** The first openings of an enrolment with their times, oldest first. */
export function openingsOf(db: Db, enrolmentId: number) {
  return db
    .selectFrom('first_openings')
    .leftJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['first_openings.id', 'attendee_id', 'attendees.name as attendee', 'what', 'document_id', 'opened_at'])
    .where('first_openings.enrolment_id', '=', enrolmentId)
    .orderBy('first_openings.id')
    .execute();
}
