import type { SessionForStaff } from '#app/routes/staff/sessions/sessions.server.ts';
import { Pill } from '#app/ui/staff/parts.tsx';

const standings = {
  open: ['calm', 'Open'],
  full: ['calm', 'Full'],
  closed: ['over', 'Enrolment closed'],
  running: ['calm', 'Running'],
  done: ['over', 'Done'],
  cancelled: ['alarm', 'Cancelled'],
} as const;

/** The state of a training session, and whether it waits for a decision of staff (P39). */
export function SessionPill({
  session,
}: {
  session: Pick<SessionForStaff, 'standing' | 'state' | 'toDecide' | 'belowMinimum'>;
}) {
  const [look, label] = standings[session.standing];
  return (
    <>
      {session.toDecide ? (
        <Pill look="open">Decide now</Pill>
      ) : (
        session.state === 'tentative' && <Pill look="calm">Not confirmed</Pill>
      )}
      {session.belowMinimum && <Pill look="open">Below minimum</Pill>}
      <Pill look={look}>{label}</Pill>
    </>
  );
}
