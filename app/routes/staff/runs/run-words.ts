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

/** What became of the emails of a run: how many of all were sent, and the others by what is known of them. */
export function emailsInWords(emails: Record<EmailState, number>, all: number): string {
  const { sent, waits, failed, withdrawn, unknown } = emails;
  return [
    `${sent} of ${all} sent`,
    waits > 0 && `${waits} waiting`,
    failed > 0 && `${failed} did not arrive`,
    withdrawn > 0 && `${withdrawn} withdrawn`,
    unknown > 0 && `${unknown} whose email we no longer keep`,
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
