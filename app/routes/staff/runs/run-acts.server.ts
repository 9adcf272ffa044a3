import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import { continueRun, stopRun } from '#app/features/runs/commands.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { common, type StaffFormResult, takeStaffAct } from '#app/routes/staff/act.server.ts';

const runForm = z.object({ ...common, act: z.enum(['stop', 'continue']) });

const faults = {
  over: 'It is over already, so there was nothing to stop.',
  'not-stopped': 'It is not stopped any more.',
  'words-erased': 'We erased what it says, so it cannot go on.',
  nobody: 'Nothing of it is left to do.',
};

/** Stops a run, or has what is left of a stopped one done. */
export function takeRunAct(
  academy: Academy,
  { id, runId, form, actor }: { id: string; runId: number; form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: runForm,
    subject: `run:${id}`,
    actor,
    async act(trx, { act }, moment) {
      const result = await (act === 'stop' ? stopRun : continueRun)(trx, { runId, actor }, moment);
      if (!result.ok) {
        return result.reason === 'unknown'
          ? { ok: false, reason: 'missing' }
          : { ok: false, reason: 'refused', heading: 'Nothing was changed', fault: faults[result.reason] };
      }
      const { ok: _, ...details } = result;
      return { ok: true, did: { action: `${act}-run`, details } };
    },
  });
}
