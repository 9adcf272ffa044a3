import { standings } from '#app/routes/staff/sessions/session-remark.ts';
import type { SessionForStaff } from '#app/routes/staff/sessions/sessions.server.ts';
import { Pill } from '#app/ui/staff/parts.tsx';

const looks = {
  open: 'calm',
  full: 'calm',
  closed: 'over',
  running: 'calm',
  done: 'over',
  cancelled: 'alarm',
} as const;

/** The state of a training session, and whether it waits for a decision of staff (P39). */
export function SessionPill({
  session,
}: {
  session: Pick<SessionForStaff, 'standing' | 'state' | 'toDecide' | 'belowMinimum'>;
}) {
  const { standing, state, toDecide } = session;
  return (
    <>
      {toDecide ? <Pill look="open">Decide now</Pill> : state === 'tentative' && <Pill look="calm">Not confirmed</Pill>}{' '}
      {session.belowMinimum && <Pill look="open">Below minimum</Pill>}{' '}
      {(standing !== 'open' || state !== 'tentative') && <Pill look={looks[standing]}>{standings[standing]}</Pill>}
    </>
  );
}
