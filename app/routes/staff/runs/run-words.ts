import type { RunAct } from '#app/features/runs/acts.ts';
import type { EmailState } from '#app/features/runs/queries.server.ts';
import { actWords } from '#app/routes/staff/enrolments/act-words.ts';

/** The title of a run: for a message its subject, which is erased one day. */
export function runTitle(act: RunAct, subject: string | null): string {
  if (act === 'message' || act === 'write') return subject === null ? 'Message' : `Message: ${subject}`;
  return actWords[act].title;
}

/** `sent` of mails, `done` of what changes something. */
export const didOf = (act: RunAct): 'sent' | 'done' => (act === 'more-time' ? 'done' : 'sent');

/**
 * How far a run is: of emails how many of all were sent, of other acts how many were done, and what is known of the other
 * emails.
 */
export function progressInWords(
  did: 'sent' | 'done',
  { all, done, emails }: { all: number; done: number; emails: Record<EmailState, number> },
): string {
  const { sent, waits, failed, withdrawn, unknown } = emails;
  return [
    did === 'sent' ? `${sent} of ${all} sent` : `${done} of ${all} done`,
    waits > 0 && (did === 'sent' ? `${waits} waiting` : `${waits} whose email waits`),
    failed > 0 && (did === 'sent' ? `${failed} did not arrive` : `${failed} whose email did not arrive`),
    withdrawn > 0 && (did === 'sent' ? `${withdrawn} withdrawn` : `${withdrawn} whose email was withdrawn`),
    did === 'sent' && unknown > 0 && `${unknown} whose email we no longer keep`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The state of a run. */
export type RunState = 'waits' | 'runs' | 'ended' | 'stopped';

export function runState(
  { dueAt, stoppedAt, endedAt }: { dueAt: Date; stoppedAt: Date | null; endedAt: Date | null },
  now: Date,
): RunState {
  if (stoppedAt) return 'stopped';
  if (endedAt) return 'ended';
  return dueAt > now ? 'waits' : 'runs';
}
