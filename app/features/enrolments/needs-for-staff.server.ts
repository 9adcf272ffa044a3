import { sql } from 'kysely';
import type { StaffActor } from '#app/features/people/actor.ts';

/**
 * Whether a person may read what attendees need, which says something of their health (APP 3.3), and who is under 18
 * with which guardian: those who teach, and those who enrol. A reader reads everything else.
 */
export const mayReadNeeds = ({ can }: Pick<StaffActor, 'can'>): boolean =>
  can.has('attendance:mark') || can.has('enrolments:change');

/** The columns of `attendees` for a member of staff; empty for who may not read them, so that no page has to ask. */
export function needsFor(actor: StaffActor) {
  const may = mayReadNeeds(actor);
  return [
    sql<string | null>`case when ${may} then attendees.needs end`.as('needs'),
    sql<boolean>`(${may} and attendees.under_18)`.as('under_18'),
    sql<string | null>`case when ${may} then attendees.guardian_name end`.as('guardian_name'),
    sql<string | null>`case when ${may} then attendees.guardian_email end`.as('guardian_email'),
  ] as const;
}

/** The same for what was read of an enrolment as a whole. */
export function withNeedsFor<Attendee extends Withheld>(actor: StaffActor, attendee: Attendee): Attendee {
  return mayReadNeeds(actor) ? attendee : { ...attendee, ...withheld };
}
type Withheld = {
  needs: string | null;
  under18: boolean;
  guardianName: string | null;
  guardianEmail: string | null;
};
const withheld: Withheld = { needs: null, under18: false, guardianName: null, guardianEmail: null };
