import path from 'node:path';
import { href } from 'react-router';
import { type Db, damageOf } from '#app/db/client.server.ts';
import type { DatabaseTime } from '#app/db/database-time.server.ts';
import { rewriteErasedAtNight } from '#app/db/rewrite-tables.server.ts';
import { backupFault } from '#app/emails/faults.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { forgetSearches } from '#app/features/catalogue/visits/searches.server.ts';
import type { Visits } from '#app/features/catalogue/visits/visits.server.ts';
import { followUpRequests } from '#app/features/companies/employer-answers.server.ts';
import { endOffers, eraseOffersDaily, remindOfOffers } from '#app/features/companies/jobs.server.ts';
import { publishScheduled } from '#app/features/content/scheduled.server.ts';
import { releaseExpiredHolds } from '#app/features/course-dates/seats.server.ts';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import { endChoices } from '#app/features/enrolments/course-date-changes.server.ts';
import { askForJoiningDetails, tellBelowMinimum } from '#app/features/enrolments/course-date-notices.server.ts';
import { expireDraftsDaily } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { queuePlaceReminders } from '#app/features/enrolments/jobs.server.ts';
import { forgetNetworks } from '#app/features/enrolments/limits.server.ts';
import { queueReceipts } from '#app/features/enrolments/money-receipts.server.ts';
import { eraseNeeds } from '#app/features/enrolments/needs.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { tellJoined } from '#app/features/enrolments/waiting/mails.server.ts';
import { expireWaitingDaily } from '#app/features/enrolments/waiting/records.server.ts';
import { expireBookingsDaily } from '#app/features/inbox/bookings/erase.server.ts';
import { queueReminders } from '#app/features/inbox/bookings/mails.server.ts';
import { eraseWithoutMails } from '#app/features/inbox/bulk-actions/personal-records.server.ts';
import { expireConversationsDaily } from '#app/features/inbox/conversations/erase.server.ts';
import { queueConversationMails } from '#app/features/inbox/conversations/mails.server.ts';
import { eraseExpiredDaily } from '#app/features/inbox/enquiries/erase.server.ts';
import { endCheckouts } from '#app/features/money/card/end-checkouts.server.ts';
import { sendCardRefunds } from '#app/features/money/card/send-refunds.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import { forgetWaitingEvents } from '#app/features/money/card/take-event.server.ts';
import type { GivenNumbers } from '#app/features/money/document-numbers.server.ts';
import { endLapsedOriginals, makePlannedPrices } from '#app/features/money/price-changes.server.ts';
import { forgetUploads } from '#app/features/money/statement-uploads.server.ts';
import { forgetPeopleDaily } from '#app/features/people/addresses.server.ts';
import { hasPermissionNow, mayNow, ownersAddresses } from '#app/features/people/queries.server.ts';
import { forgetStaffForms } from '#app/features/people/staff-act.server.ts';
import { tellWaitingAnswers } from '#app/features/study/answers.server.ts';
import type { Badges } from '#app/features/study/badges/badge.ts';
import { signBadges } from '#app/features/study/badges/jobs.server.ts';
import { openHandedOut } from '#app/features/study/modules.server.ts';
import { type Moment, momentOf } from '#app/http/academy.server.ts';
import type { BackupState } from '#app/http/backup-state.server.ts';
import { forgetAttempts } from '#app/http/form-limit.server.ts';
import type { Log } from '#app/http/log.server.ts';
import { watchLateJobs } from '#app/jobs/late-jobs.server.ts';
import { forgetOtherJobs, takeBackFutureRuns } from '#app/jobs/runs.server.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { takeBackFutureStamps } from '#app/outbox/clock-ahead.server.ts';
import { expireMailDaily, expireMailFiles } from '#app/outbox/erase-mail.server.ts';
import { forgetCounts } from '#app/outbox/mail-counts.server.ts';
import { unscheduleOthers } from '#app/outbox/queue.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { eraseStaleSecrets } from '#app/outbox/secret-mail.server.ts';
import { tellFaults } from '#app/outbox/tell-faults.server.ts';
import type { Backups } from './backups.ts';
import type { Database } from './database.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { type Job, repeatHere, runScheduled } from './job-runner.ts';

/** Mails every owner, once a day, that there is no good backup (P92). */
export async function tellOfBackup(
  db: Db,
  { fault, at }: Pick<BackupState, 'fault' | 'at'>,
  { academy, today }: Moment,
): Promise<void> {
  if (fault === null) return;
  const newest = at && formatMoment(at);
  const mail = backupFault({ fault, newest, link: academy.url + href('/staff/faults'), academy });
  await db.transaction().execute(async (trx) => {
    for (const to of await ownersAddresses(trx)) {
      const dedupeKey = `backup-fault:${today}:${to}`;
      await queueMail(trx, { kind: 'backup-fault', about: 'nothing', to, replyTo: academy.email, dedupeKey, ...mail });
    }
  });
}

const [minute, hour] = [60, 60 * 60];

type JobNeeds = {
  db: Db;
  withoutLimits: Database['withoutLimits'];
  time: DatabaseTime;
  mailFolder: string;
  academy: () => MailAcademy;
  clock: Clock;
  stripe: Stripe | null;
  numbers: GivenNumbers;
  /** Null where the backups are in no bucket. */
  storeNumbers: (() => Promise<void>) | null;
  backups: Backups | null;
  badges: Badges;
  visits: Visits;
  /** Mails the links to sign in that were asked for. */
  sendLinks: () => Promise<unknown>;
  /** Forgets sign-ins and what belongs to them once they ended. */
  forgetSignIns: () => Promise<unknown>;
};

/** The periodic jobs: jobs of every process, and scheduled jobs that one process at a time does. */
export function jobsOf(
  {
    db,
    withoutLimits,
    time,
    mailFolder,
    academy,
    clock,
    stripe,
    numbers,
    storeNumbers,
    backups,
    badges,
    visits,
    sendLinks,
    forgetSignIns,
  }: JobNeeds,
  log: Log,
): { here: Job[]; scheduled: Job[] } {
  const moment = () => momentOf({ clock, academy });
  const tell = () => tellFaults(db, { academy: academy(), at: clock.now(), log });
  // In every process, each for a reason; several may do the same at once.
  const here = [
    // Somebody waits for it.
    job('send links to sign in', 1, sendLinks),
    // The seats of a hold that ended are for sale at once.
    job('give back seats', 1, () => releaseExpiredHolds(db, clock.now())),
    // A seat that comes free is reserved for the waiting list, so the offer goes out at once.
    job('keep waiting lists', 1, () => keepWaitingLists(db, moment())),
    // Met by this process.
    job('read the database', minute, async () => {
      const damage = damageOf(db);
      if (damage) throw new Error(`data are damaged, restore a backup: ${damage}`);
    }),
    // The clock of this process's computer.
    job('compare clocks', minute, async () => {
      await time.ask();
      const fault = time.fault();
      if (fault) throw new Error(fault);
    }),
    // The schedule itself may wait for a time that a clock left which was ahead.
    job('take back times in the future', minute, async () => {
      await takeBackFutureStamps(db);
      await takeBackFutureRuns(db, clock.now());
    }),
    // The job that tells of faults may be late itself.
    job('watch the schedule', minute, async () => {
      if (await watch(clock.now())) await tell();
    }),
    // In the memory of this process.
    job('store counts of visits', minute, () => visits.store()),
    // In a file of this process's computer.
    job('keep numbers given out', 1, () => numbers.keep()),
    ...(storeNumbers ? [job('store numbers in the bucket', 5, storeNumbers)] : []),
    // In this process's folder. The age of files is of the true time.
    job('erase files of expired mail', hour, async () => {
      const { sentMailDays } = await readRetention(db);
      const files = await expireMailFiles(mailFolder, sentMailDays, trueTime(clock));
      if (files > 0) log.info({ files }, 'files of expired mail erased');
    }),
    // It leaves this computer's disk within seconds, if it is to leave it. Cheap when there is nothing.
    ...(backups ? [job('keep the log', 5, () => backups.keepLog())] : []),
    ...(stripe
      ? [
          // Until the checkout is ended, the buyer can pay a sum that is no longer owed.
          job('end card payments', 5, () => endCheckouts(db, stripe, clock.now())),
          // Staff look at the page to see whether Stripe takes it.
          job('send card refunds', 5, () => sendCardRefunds(db, stripe, clock.now())),
        ]
      : []),
  ];
  const scheduled = [
    job('tell of waiting lists', minute, () => tellJoined(db, moment())),
    job('tell of jobs that failed', minute, tell),
    job('change planned prices', minute, () => makePlannedPrices(db, clock.now(), mayNow('prices:change'))),
    job('end lapsed original prices', hour, () => endLapsedOriginals(db, clock.now())),
    job('forget submitted forms of staff', hour, () => forgetStaffForms(db, clock.now())),
    job('forget sign-ins', minute, forgetSignIns),
    job('forget addresses', minute, () => forgetAttempts(db, clock.now())),
    job('forget networks', hour, () => forgetNetworks(db, clock.now())),
    job('forget counts of mail', hour, () => forgetCounts(db, clock.now())),
    job('erase stale secrets', minute, () => eraseStaleSecrets(db, clock.now())),
    job('remind of bookings', minute, () => queueReminders(db, academy(), clock.now())),
    job('remind of places', minute, () => queuePlaceReminders(db, moment())),
    job('remind of payments', hour, () => queuePaymentReminders(db, moment())),
    job('send receipts', minute, () => queueReceipts(db, moment())),
    job('end quotes', minute, () => endOffers(db, moment())),
    job('follow up on requests', hour, () => followUpRequests(db, moment())),
    job('remind of quotes', hour, () => remindOfOffers(db, moment())),
    job('end choices', hour, () => endChoices(db, moment())),
    job('sign badges', minute, () => signBadges(db, badges, clock.now())),
    job('complete guided study', hour, () => completeGuided(db, moment())),
    job('open modules handed out', minute, () => openHandedOut(db, moment())),
    job('tell of exercises to mark', hour, () => tellWaitingAnswers(db, moment())),
    job('tell of course dates below their minimum', minute, () => tellBelowMinimum(db, moment())),
    job('ask for rooms and links', minute, () => askForJoiningDetails(db, moment())),
    job('tell of conversations', minute, () => queueConversationMails(db, academy(), clock.now())),
    job('erase expired enquiries', hour, async () => {
      const erased = await eraseExpiredDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired enquiries erased');
    }),
    job('erase expired waiting entries', hour, async () => {
      const erased = await expireWaitingDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired waiting entries erased');
    }),
    job('erase expired bookings', hour, async () => {
      const erased = await expireBookingsDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired bookings erased');
    }),
    job('erase expired conversations', hour, async () => {
      const erased = await expireConversationsDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired conversations erased');
    }),
    job('erase expired quotes', hour, async () => {
      const erased = await eraseOffersDaily(db, clock.now());
      if (erased) log.info({ erased }, 'expired quotes erased');
    }),
    job('erase old enrolment drafts', hour, async () => {
      const erased = await expireDraftsDaily(db, clock.now());
      if (erased) log.info({ erased }, 'old enrolment drafts erased');
    }),
    job('erase expired mail', hour, async () => {
      const { sentMailDays, failedMailDays } = await readRetention(db);
      const kept = { sentDays: sentMailDays, failedDays: failedMailDays };
      const erased = await expireMailDaily(db, kept, clock);
      if (erased) log.info({ erased }, 'expired mail erased');
      await eraseWithoutMails(db);
    }),
    job('erase needs', hour, async () => {
      const erased = await eraseNeeds(db, clock.now());
      if (erased > 0) log.info({ erased }, 'needs and guardians of past courses erased');
    }),
    job('forget people', hour, async () => {
      const forgotten = await forgetPeopleDaily(db, clock.now());
      if (forgotten) log.info({ forgotten }, 'people forgotten');
    }),
    job('write erased tables anew', hour, async () => {
      // The database notes by its own clock since when a table waits.
      const { written, overdue } = await withoutLimits((own) => rewriteErasedAtNight(own, trueTime(clock)));
      if (written > 0) log.info({ written }, 'tables written anew');
      if (overdue.length > 0) log.warn({ overdue }, 'start the program anew: these tables hold what was erased');
    }),
    ...(backups
      ? [
          job('back up', hour, async () => {
            const base = await backups.takeDue();
            if (base) log.info({ base: base.name, bytes: base.bytes }, 'backup made');
          }),
          job('check the backup', hour, () => backups.checkDue()),
          job('tell of the backup', hour, async () => tellOfBackup(db, await backups.state(), moment())),
        ]
      : []),
    job('forget searches', hour, () => forgetSearches(db, clock.now())),
    job('forget bank statements', hour, () => forgetUploads(db, clock.now())),
    job('publish scheduled content', minute, () => publishScheduled(db, moment(), hasPermissionNow)),
    job('forget card events', hour, () => forgetWaitingEvents(db, clock.now())),
    job('forget jobs of other releases', hour, async () => {
      await forgetOtherJobs(db, names, clock.now());
      await unscheduleOthers(db, names);
    }),
    // Once an hour, so that dates that are added one after the other come in one mail.
    job('delete accounts', hour, async () => {
      const deleted = await deleteAccounts(db, { dataDir: path.dirname(mailFolder), at: clock.now() });
      if (deleted > 0) log.info({ deleted }, 'closed accounts deleted');
    }),
  ];
  const watch = watchLateJobs(db, scheduled);
  const names = [...here, ...scheduled].map(({ name }) => name);
  return { here, scheduled };
}

/**
 * Starts the periodic jobs; each is done once at the start. Those for which a minute will do are on the schedule, and
 * one process at a time does them; a daily one asks each hour whether its day is done, so that it is late after an
 * outage instead of left out. `mailFolder` is this process's folder of mail in files, `academy` who writes; without
 * `stripe` nothing is paid by card.
 */
export async function startJobs(needs: JobNeeds, log: Log): Promise<{ stop(): Promise<void> }> {
  const { db, clock } = needs;
  const { here, scheduled } = jobsOf(needs, log);
  const repeated = repeatHere({ db, clock, log }, here);
  const onSchedule = await runScheduled({ db, clock, log }, scheduled);
  return { stop: async () => void (await Promise.all([repeated.stop(), onSchedule.stop()])) };
}

const job = (name: string, everySeconds: number, run: () => Promise<unknown>): Job => ({ name, everySeconds, run });
