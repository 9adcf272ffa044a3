import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { rewriteErasedAtNight } from '#app/db/rewrite-tables.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { expireBookingsDaily } from '#app/features/bookings/erase.server.ts';
import { queueReminders } from '#app/features/bookings/mails.server.ts';
import { expireConversationsDaily } from '#app/features/conversations/erase.server.ts';
import { queueConversationMails } from '#app/features/conversations/mails.server.ts';
import { eraseExpiredDaily } from '#app/features/enquiries/erase.server.ts';
import { expireDraftsDaily } from '#app/features/enrolling/drafts.server.ts';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import { eraseNeeds } from '#app/features/enrolments/erase-needs.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { forgetNetworks } from '#app/features/enrolments/networks.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { refundSilent } from '#app/features/enrolments/session-changes.server.ts';
import { askForWayIn, tellBelowMinimum } from '#app/features/enrolments/session-notices.server.ts';
import { refundSoldAgain } from '#app/features/enrolments/sold-again.server.ts';
import { endCheckouts } from '#app/features/money/card/checkouts.server.ts';
import { sendCardRefunds } from '#app/features/money/card/send-refunds.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import { forgetWaitingEvents } from '#app/features/money/card/take-event.server.ts';
import type { GivenNumbers } from '#app/features/money/number-marks.server.ts';
import { forgetPeopleDaily } from '#app/features/people/addresses.server.ts';
import { releaseExpiredHolds } from '#app/features/seats/commands.server.ts';
import { readRetention } from '#app/features/site/queries.server.ts';
import { keepWaitingLists } from '#app/features/waiting/jobs.server.ts';
import { tellJoined } from '#app/features/waiting/joined-mails.server.ts';
import { expireWaitingDaily } from '#app/features/waiting/records.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { forgetAttempts } from '#app/http/form-limit.server.ts';
import type { Log } from '#app/http/log.server.ts';
import { forgetFault, recordFault } from '#app/jobs/each-item.server.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { forgetAcknowledgements } from '#app/outbox/acknowledge.server.ts';
import { expireMailDaily, expireMailFiles } from '#app/outbox/erase-mail.server.ts';
import { forgetCounts } from '#app/outbox/mail-counts.server.ts';
import { eraseStaleSecrets } from '#app/outbox/secret-mail.server.ts';
import { tellFaults } from '#app/outbox/tell-faults.server.ts';
import { forgetDeskForms } from '#app/routes/staff/act.server.ts';
import { forgetUploads } from '#app/routes/staff/payments/uploads.server.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** What `job_faults` says failed when it was not one of its items. */
const wholeJob = 'part:all of it';
/** How often the daily job checks whether it is due; it also catches up after an outage of the database. */
const hourMs = 60 * minuteMs;

type JobNeeds = {
  db: Db;
  mailFolder: string;
  academy: () => MailAcademy;
  clock: Clock;
  stripe: Stripe | null;
  numbers: GivenNumbers;
  /** Mails the links to sign in that were asked for. */
  sendLinks: () => Promise<unknown>;
};

/**
 * Starts the periodic jobs and runs each of them once at the start. `mailFolder` is this process's folder of mail in
 * files, `academy` who writes; without `stripe` nothing is paid by card.
 */
export function startJobs(
  { db, mailFolder, academy, clock, stripe, numbers, sendLinks }: JobNeeds,
  log: Log,
): { stop(): Promise<void> } {
  const moment = () => momentOf({ clock, academy });
  const jobs = [
    repeat('send links to sign in', secondMs, sendLinks),
    repeat('give back seats', secondMs, () => releaseExpiredHolds(db, clock.now())),
    repeat('keep waiting lists', secondMs, () => keepWaitingLists(db, moment())),
    repeat('tell of waiting lists', secondMs, () => tellJoined(db, moment())),
    repeat('tell of jobs that failed', minuteMs, () => tellFaults(db, { academy: academy(), at: clock.now(), log })),
    repeat('forget forms of staff', hourMs, () => forgetDeskForms(db, clock.now())),
    repeat('forget addresses', minuteMs, () => forgetAttempts(db, clock.now())),
    repeat('forget networks', hourMs, () => forgetNetworks(db, clock.now())),
    repeat('forget acknowledgements', minuteMs, () => forgetAcknowledgements(db, clock.now())),
    repeat('forget counts of mail', hourMs, () => forgetCounts(db, clock.now())),
    repeat('erase stale secrets', minuteMs, () => eraseStaleSecrets(db, clock.now())),
    repeat('remind of bookings', minuteMs, () => queueReminders(db, academy(), clock.now())),
    repeat('remind of places', minuteMs, () => queuePlaceReminders(db, moment())),
    repeat('remind of payments', hourMs, () => queuePaymentReminders(db, moment())),
    repeat('send receipts', 5 * secondMs, () => queueReceipts(db, moment())),
    repeat('refund seats sold again', minuteMs, () => refundSoldAgain(db, moment())),
    repeat('end choices', hourMs, () => refundSilent(db, moment())),
    repeat('complete guided study', hourMs, () => completeGuided(db, moment())),
    repeat('tell of sessions below their minimum', minuteMs, () => tellBelowMinimum(db, moment())),
    repeat('ask for rooms and links', minuteMs, () => askForWayIn(db, moment())),
    repeat('tell of conversations', minuteMs, () => queueConversationMails(db, academy(), clock.now())),
    repeat('erase expired enquiries', hourMs, async () => {
      const erased = await eraseExpiredDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired enquiries erased');
    }),
    repeat('erase expired waiting entries', hourMs, async () => {
      const erased = await expireWaitingDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired waiting entries erased');
    }),
    repeat('erase expired bookings', hourMs, async () => {
      const erased = await expireBookingsDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired bookings erased');
    }),
    repeat('erase expired conversations', hourMs, async () => {
      const erased = await expireConversationsDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired conversations erased');
    }),
    repeat('erase old enrolment drafts', hourMs, async () => {
      const erased = await expireDraftsDaily(db, clock.now());
      if (erased) log.info({ erased }, 'old enrolment drafts erased');
    }),
    repeat('erase expired mail', hourMs, async () => {
      const { sentMailDays, failedMailDays } = await readRetention(db);
      const kept = { sentDays: sentMailDays, failedDays: failedMailDays };
      const erased = await expireMailDaily(db, kept, clock);
      // The age of files is of the true time.
      const files = await expireMailFiles(mailFolder, sentMailDays, trueTime(clock));
      if (erased || files > 0) log.info({ erased, files }, 'expired mail erased');
    }),
    repeat('erase needs', hourMs, async () => {
      const erased = await eraseNeeds(db, clock.now());
      if (erased > 0) log.info({ erased }, 'needs and guardians of past courses erased');
    }),
    repeat('forget people', hourMs, async () => {
      const forgotten = await forgetPeopleDaily(db, clock.now());
      if (forgotten) log.info({ forgotten }, 'people forgotten');
    }),
    repeat('write erased tables anew', 20 * minuteMs, async () => {
      const { written, overdue } = await rewriteErasedAtNight(db, clock.now());
      if (written > 0) log.info({ written }, 'tables written anew');
      if (overdue.length > 0) log.warn({ overdue }, 'start the program anew: these tables hold what was erased');
    }),
    repeat('keep numbers given out', secondMs, () => numbers.keep()),
    repeat('forget bank statements', hourMs, () => forgetUploads(db, clock.now())),
    ...(stripe
      ? [
          repeat('end card payments', 5 * secondMs, () => endCheckouts(db, stripe, clock.now())),
          repeat('send card refunds', 5 * secondMs, () => sendCardRefunds(db, stripe, clock.now())),
          repeat('forget card events', hourMs, () => forgetWaitingEvents(db, clock.now())),
        ]
      : []),
  ];
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };

  function repeat(name: string, everyMs: number, run: () => Promise<unknown>): { stop(): Promise<void> } {
    let running: Promise<void> | null = null;
    let putOff = false;
    // Another process, or this one before it was started anew, may have recorded that the job failed as a whole.
    let faulty = true;
    let logged = false;
    const attempt = async () => {
      try {
        await run();
        if (faulty) await forgetFault(db, name, wholeJob);
        putOff = false;
        faulty = false;
        logged = false;
      } catch (error) {
        const trouble = databaseTrouble(error);
        if (trouble) {
          // Said once for an outage, however often the job comes round.
          if (!putOff) log.warn({ job: name }, `job put off: the database is ${trouble}`);
          putOff = true;
        } else {
          // Said once until it works again: staff see how often it failed.
          if (!logged) log.error({ job: name, err: error }, 'job failed');
          logged = true;
          faulty = true;
          await recordFault(db, { job: name, item: wholeJob, error, at: clock.now() });
        }
      }
    };
    const start = () => {
      running ??= attempt()
        .catch((error: unknown) => log.error({ job: name, err: error }, 'that a job failed could not be recorded'))
        .finally(() => {
          running = null;
        });
    };
    const timer = setInterval(start, everyMs);
    start();
    return {
      async stop() {
        clearInterval(timer);
        await running;
      },
    };
  }
}
