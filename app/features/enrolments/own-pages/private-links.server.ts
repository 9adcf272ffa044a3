import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { SeatTrx } from '#app/features/sessions/seats.server.ts';
import type { Forms } from '#app/http/forms.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';

/** What the pages of private links need of the process. */
export type LinkDesk = { db: Db; clock: Clock; forms: Forms; academy: () => MailAcademy };

/** Why a private page cannot be shown: the link is none, or the database cannot be reached. */
export type NotShown = 'no-link' | 'away';

export function circumstancesOf({ clock, forms, academy }: LinkDesk): Circumstances {
  return { now: clock.now(), today: academyToday(clock), at: forms.trueNow(), academy: academy() };
}

type Read<T> = (trx: SeatTrx, enrolment: Enrolment, circumstances: Circumstances) => Promise<T>;

/** Reads for the buyer's private link (P32), all of it as of one moment. Changes nothing: mail scanners open links. */
export function readForBuyer<T>(desk: LinkDesk, token: string, read: Read<T>): Promise<T | NotShown> {
  return readByLink(desk, token, (trx, link, circumstances) =>
    link.attendeeId === null
      ? readEnrolment(trx, link.enrolmentId).then((enrolment) => read(trx, enrolment, circumstances))
      : 'no-link',
  );
}

/** The places that an attendee's private link shows (P32): their own, apart from those that were moved away. */
export function readForAttendee<T>(
  desk: LinkDesk,
  token: string,
  read: (enrolment: Pick<Enrolment, 'reference' | 'sequence'>, own: Place[], circumstances: Circumstances) => T,
): Promise<T | NotShown> {
  return readByLink(desk, token, async (trx, { enrolmentId, attendeeId }, circumstances) => {
    if (attendeeId === null) return 'no-link';
    const { reference, sequence, places } = await readEnrolment(trx, enrolmentId);
    const own = places.filter(
      ({ attendee, cancelledWhy }) => attendee.id === attendeeId && cancelledWhy !== 'transfer',
    );
    return read({ reference, sequence }, own, circumstances);
  });
}

async function readByLink<T>(
  desk: LinkDesk,
  token: string,
  read: (
    trx: SeatTrx,
    link: { enrolmentId: number; attendeeId: number | null },
    circumstances: Circumstances,
  ) => Promise<T | NotShown> | NotShown,
): Promise<T | NotShown> {
  try {
    return await desk.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const link = await findLink(trx, token);
        return link ? read(trx, link, circumstancesOf(desk)) : 'no-link';
      });
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return 'away';
  }
}
