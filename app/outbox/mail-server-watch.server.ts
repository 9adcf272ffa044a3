import type { Db } from '#app/db/client.server.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import {
  claimCheck,
  noteAnswer,
  noteSilence,
  noteStillAway,
  type Outage,
  readMailServer,
} from './mail-server.server.ts';
import type { Answer, MailTransport } from './transport.server.ts';

type Watched = {
  db: Db;
  transport: MailTransport;
  clock: Clock;
  log: Record<'info' | 'error', (fields: object, message: string) => void>;
};

/** How an attempt at a mail ended that began at a true time; `group` says whose server it goes on to. */
type Heard = { answer: Answer; begunAt: Date; mailId: string; group: string | null };

/** A check is not repeated within this time. */
const checkedForMs = 2_000;
/** Answers to mails are recorded this often at most. */
const notedForMs = 60_000;
/** After so many mails to several domains without any answer between them the server hangs, not a recipient's. */
const silentMails = 5;

/**
 * Watches, for the workers of this process, whether the mail server answers. When an attempt fails, the server is asked
 * without a mail: what goes wrong with one recipient is no outage. `probe` tries one mail and gives its answer. All goes by
 * the true time, because the queue does.
 */
export function watchMailServer(
  { db, transport, clock, log }: Watched,
  { probe }: { probe(): Promise<Answer | null> },
) {
  let outage: Outage | null = null;
  let checking: Promise<{ ok: boolean; text: string }> | null = null;
  let checkedAt = -Infinity;
  let notedAt = -Infinity;
  let deliveredAt = new Date(0);
  let silentSince: Date | null = null;
  /** Mails without an answer since the last answer to any mail, with the recipient's server. */
  const silent = new Map<string, string | null>();

  function check() {
    checking ??= transport.check().finally(() => {
      checking = null;
      checkedAt = performance.now();
    });
    return checking;
  }

  async function away(since: Date, answer: string, isSilent: boolean): Promise<void> {
    const news = await noteSilence(db, { since, silent: isSilent, answer, now: trueTime(clock) });
    outage = { since, silent: isSilent };
    if (news) log.error({ answer }, 'the mail server does not answer: mail waits');
  }

  async function back(): Promise<void> {
    const released = await noteAnswer(db, trueTime(clock));
    outage = null;
    notedAt = performance.now();
    silentSince = null;
    silent.clear();
    if (released !== null) log.info({ released }, 'the mail server answers again: mail goes out');
  }

  async function askServer(): Promise<void> {
    const now = trueTime(clock);
    if (!(await claimCheck(db, now))) return;
    const asked = await check();
    if (!outage) return asked.ok ? back() : away(now, asked.text, false);
    if (!asked.ok) return noteStillAway(db, outage, asked.text, trueTime(clock));
    if (!outage.silent) return back();
    const answer = await probe();
    if (!answer || isAnswer(answer)) return back();
    return noteStillAway(db, outage, answer.text, trueTime(clock));
  }

  return {
    /** Whether mails may be taken: not during an outage, and not while it is found out whether there is one. */
    allows: () => outage === null && checking === null,

    /** Reads what all programs know, and asks the server when that is due. */
    async look(): Promise<void> {
      const known = await readMailServer(db);
      outage = known.outage;
      if (known.checkAfter <= trueTime(clock)) await askServer();
    },

    /** Takes note of how an attempt ended. */
    async heard({ answer, begunAt, mailId, group }: Heard): Promise<void> {
      if (isAnswer(answer)) {
        silentSince = null;
        silent.clear();
      }
      if (answer.outcome === 'delivered' || answer.outcome === 'refused') {
        deliveredAt = trueTime(clock);
        if (outage || performance.now() - notedAt > notedForMs) await back();
        return;
      }
      if (outage) return;
      if (checking || performance.now() - checkedAt > checkedForMs) {
        const asked = await check();
        if (!asked.ok && deliveredAt < begunAt && !outage) return away(begunAt, asked.text, false);
      }
      if (isAnswer(answer) || outage) return;
      silentSince ??= begunAt;
      silent.set(mailId, group);
      if (silent.size >= silentMails && new Set(silent.values()).size > 1) await away(silentSince, answer.text, true);
    },
  };
}

/** Whether a server said something about the mail: its answers begin with a code of three digits. */
function isAnswer({ outcome, text }: Answer): boolean {
  return outcome === 'delivered' || outcome === 'refused' || /^[245]\d\d[ -]/.test(text);
}
