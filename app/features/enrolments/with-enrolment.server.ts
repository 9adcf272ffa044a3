import type { AuditChange } from '#app/audit/changes.ts';
import type { Trx } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { ActDone, Refused } from '#app/features/people/staff-act.server.ts';

export type Asked = { form: FormData | null; reference: string; actor: StaffActor };
export type Done = ActDone | Refused | { ok: false; reason: 'missing' };

export const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

/** The act, as in the history of the enrolment. */
export const done = (
  action: string,
  details: Record<string, string | number> = {},
  changes: readonly AuditChange[] = [],
): ActDone => ({ ok: true, did: { action, details, changes } });

export const meanwhile = 'Someone changed the enrolment just now.';

/** Finds an enrolment for an act. */
export async function withEnrolment(
  trx: Trx,
  reference: string,
  act: (enrolmentId: number) => Promise<Done>,
): Promise<Done> {
  const row = await trx.selectFrom('enrolments').select('id').where('reference', '=', reference).executeTakeFirst();
  return row ? act(row.id) : { ok: false, reason: 'missing' };
}
