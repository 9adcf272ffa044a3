import type { RunAct } from '#app/features/runs/acts.ts';
import { actWords } from '#app/routes/staff/enrolments/act-words.ts';

/** The title of a run: for a message its subject, which is erased one day. */
export function runTitle(act: RunAct, subject: string | null): string {
  if (act === 'message' || act === 'write') return subject === null ? 'Message' : `Message: ${subject}`;
  return actWords[act].title;
}

/** `sent` of mails, `done` of what changes something. */
export const didOf = (act: RunAct): 'sent' | 'done' => (act === 'more-time' ? 'done' : 'sent');

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
