import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { enrolmentActs, mostItems } from '#app/features/runs/acts.ts';
import { type ActAsked, type Planned, planEnrolments } from '#app/features/runs/chosen-enrolments.server.ts';
import { startForEnrolments } from '#app/features/runs/commands.server.ts';
import { runOfForm } from '#app/features/runs/queries.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';
import type { Refusal } from '#app/http/take-form.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { common, keyOfForm, type Refused, takeStaffAct } from '#app/routes/staff/act.server.ts';
import type { Chosen } from '#app/routes/staff/lists/chosen.ts';
import { dayField } from '#app/routes/staff/sessions/session-forms.ts';
import { chosenEnrolments } from './chosen-enrolments.server.ts';
import { enrolmentList } from './enrolment-filter.ts';

/** As long as instalments can be agreed ahead. */
const mostDaysAhead = 366;

/** The day until which more time can be given: after today, within a year. */
export const isNewDay = (day: Day, today: Day): boolean => day > today && day <= addDays(today, mostDaysAhead);

const forms = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.enum(['remind', 'ask-names']), expects: z.string() }),
  z.object({
    ...common,
    act: z.literal('more-time'),
    expects: z.string(),
    until: dayField('the new day'),
    reason: requiredLine('the reason', 300),
  }),
]);

/** What an act would do now for the enrolments that were chosen, by `planEnrolments`. */
export async function readPlan(
  db: Db,
  actor: StaffActor,
  chosen: Chosen,
  { moment, ...asked }: ActAsked & { moment: Pick<Moment, 'today' | 'now'> },
): Promise<Planned[] | 'too-many'> {
  const ids = await chosenEnrolments(db, actor, chosen, moment.today);
  return ids === 'too-many' ? ids : planEnrolments(db, ids, asked, moment);
}

type Asked = { form: FormData | null; actor: StaffActor; chosen: Chosen };

/**
 * Has an act done for the enrolments that were chosen (P79). A filter is read once more in the transaction of the
 * press: where it finds others than the page showed, nothing is begun and the page shows them.
 */
export async function takeChosenAct(
  academy: Academy,
  { form, actor, chosen }: Asked,
): Promise<{ ok: true; runId: number | null } | Refusal> {
  let runId: number | null = null;
  const result = await takeStaffAct(academy, {
    form,
    schema: forms,
    subject: 'list:enrolments',
    actor,
    compares: false,
    words: { kept: 'Nothing was begun.' },
    async act(trx, data, moment, { key }) {
      const { act, expects } = data;
      const more = data.act === 'more-time' ? { until: data.until, reason: data.reason } : null;
      if (more && !isNewDay(more.until, moment.today)) {
        return { ok: false, reason: 'refused', errors: { until: 'Enter a day after today, within a year.' } };
      }
      const ids = await chosenEnrolments(trx, actor, chosen, moment.today);
      if (ids === 'too-many') return refused(tooMany);
      const started = await startForEnrolments(trx, { act, ids, more, actor, form: key, expects }, moment);
      if (!started.ok) return refused(notStarted[started.reason]);
      runId = started.runId;
      const details = { run: runId, act, enrolments: started.count, filters: chosen.all ? filtersOf(chosen) : '' };
      return { ok: true, did: { action: 'act-on-many', details } };
    },
  });
  if (!result.ok) return result;
  // Pressed twice, it leads to the run of the first time.
  return { ok: true, runId: runId ?? (await runOfForm(academy.db, keyOfForm(form))) };
}

/** Without words of a search, which may be somebody's name. */
const filtersOf = ({ list }: Chosen) =>
  enrolmentList.queryOf(enrolmentList.viewOf(new URLSearchParams(list))).toString();

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

/** The sentence when too many are chosen. */
export const tooMany = `More than ${mostItems.toLocaleString('en-AU')} match, or the filters look at too many. Narrow the list, then choose again.`;

const notStarted = {
  nobody: 'There is nothing to do for any of them.',
  'too-many': tooMany,
  changed: 'It would be done for others now than this page showed. Look at it again, then press the button.',
};

/** The act of an address; null for an unknown one. */
export const actIn = (params: URLSearchParams) => enrolmentActs.find((act) => act === params.get('act')) ?? null;
