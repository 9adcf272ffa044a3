import type { Trx } from '#app/db/client.server.ts';
import type { CourseDateTimes } from '#app/features/course-dates/changed-times.ts';
import {
  cancelCourseDateAndAsk,
  confirmCourseDateAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import {
  countNotified,
  moveCourseDateForAll,
  type Notified,
} from '#app/features/enrolments/waiting/move-course-date.server.ts';

import type { StaffActor } from '#app/features/people/actor.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { readWrittenMail } from '#app/outbox/written-mail.server.ts';
import type { FieldErrors } from '#app/ui/form-state.ts';
import { faulty, whyNot } from './course-date-acts.server.ts';

type Change =
  | { change: 'cancel' | 'confirm'; reason: string | null }
  | { change: 'move'; times: CourseDateTimes; reason: string | null };

/** A mail as it would be sent, without the link of its button. */
export type TriedMail = { key: string; kind: string; to: string; subject: string; text: string };
export type Tried = {
  mails: TriedMail[];
  /** Whom the job of the waiting lists writes to afterwards. */
  notified: Notified;
  fault: string | null;
  errors: FieldErrors;
};

/** Nothing was tried. */
export const nothingTried: Tried = { mails: [], notified: { over: 0, offered: 0 }, fault: null, errors: {} };

/**
 * Does a change of a course date and undoes it again, so that its page shows the very mails that it would send, or
 * why it would be refused. Nothing is stored, and nothing is sent.
 */
export async function tryChange(
  academy: Academy,
  courseDateId: number,
  { actor, ...wish }: Change & { actor: StaffActor },
): Promise<Tried> {
  const moment = momentOf(academy);
  const undone = new Error('a change that was only tried');
  let tried = nothingTried;
  const run = academy.db.transaction().execute(async (trx) => {
    const result =
      wish.change === 'move'
        ? await moveCourseDateForAll(
            trx,
            { courseDate: courseDateId, times: wish.times, actor, reason: wish.reason },
            moment,
          )
        : wish.change === 'cancel'
          ? await cancelCourseDateAndAsk(trx, courseDateId, actor, moment, wish.reason)
          : await confirmCourseDateAndTell(trx, courseDateId, actor, moment);
    if (result.ok) {
      tried = { ...tried, mails: await mailsOf(trx), notified: await countNotified(trx, courseDateId, moment.today) };
    } else if (result.reason === 'faults') tried = { ...tried, errors: faulty(result).errors ?? {} };
    else if (result.reason !== 'unchanged') tried = { ...tried, fault: whyNot[result.reason] };
    throw undone;
  });
  await run.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return tried;
}

/** The mails that this transaction wrote. */
async function mailsOf(trx: Trx): Promise<TriedMail[]> {
  return (await readWrittenMail(trx)).map(({ id, kind, recipient, subject, body_text }) => ({
    key: id,
    kind,
    to: showControlCharacters(recipient),
    subject: showControlCharacters(subject),
    text: body_text,
  }));
}
