import { data, href } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm, common, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { handOutModule, listAskedModules, openHandedOut, teaches } from '#app/features/study/modules.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { optionalTextWithin } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, SendButton } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/hand-out';

async function findAsked(db: Db, actor: StaffActor, { course, number }: Route.LoaderArgs['params']) {
  const all = await listAskedModules(db, actor);
  return all.find((one) => one.course === course && String(one.number) === number) ?? null;
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'exercises:read');
  const { db } = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const asked = await findAsked(db, actor, params);
    if (!asked) throw data('No learner waits for this module.', { status: 404 });
    const { courseTitle, number, title, learners, by, instructor } = asked;
    return {
      course: courseTitle,
      module: `${number}. ${title}`,
      learners,
      instructor,
      by: formatDay(by),
      mine: actor.can.has('exercises:mark') && teaches(actor, asked),
      form: blankStaffForm(0),
    };
  });
}

/** Both parts fit into the text of a module. */
const part = (what: string) =>
  optionalTextWithin(29_000)
    .refine((text) => text !== '', { error: `Write the ${what}.` })
    .refine((text) => !/^##? /m.test(text), { error: 'Begin headings with ###.' });
const handOut = z.object({ ...common, reading: part('reading'), exercise: part('exercise') });

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'exercises:mark');
  const academy = context.get(academyContext);
  const result = await takeStaffAct(academy, {
    form: await readForm(request),
    schema: handOut,
    subject: `module:${params.course}/${params.number}`,
    actor,
    compares: false,
    async act(trx, { reading, exercise }, moment) {
      const asked = await findAsked(trx, actor, params);
      if (!asked) return { ok: false as const, reason: 'missing' as const };
      const done = await handOutModule(trx, { asked, reading, exercise }, { actor, moment });
      if (!done.ok) return { ok: false as const, reason: 'refused' as const, fault: done.faults.join(' ') };
      return { ok: true as const, did: { action: 'hand-out' } };
    },
  });
  if (result.ok) await openHandedOut(academy.db, momentOf(academy));
  return answerForm(result, href('/staff/answers'));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Hand out ${loaderData.module}` : 'Hand out a module');

const labels = { reading: 'Reading', exercise: 'Exercise' };

/** A module that learners opened before it had a text: its instructor writes it here (P105). */
export default function HandOut({ loaderData, actionData }: Route.ComponentProps) {
  const { course, module, learners, by, instructor, mine } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <div className="max-w-prose">
      <Back to={href('/staff/answers')}>Exercises</Back>
      <h1 className="text-2xl wrap-anywhere">{module}</h1>
      <p className="mb-5 text-mute">{course}</p>
      <p className="mb-5">
        {learners === 1 ? '1 learner waits' : `${learners} learners wait`} for this module. We promised it by the end of{' '}
        <b>{by}</b>. They read it at once, and so does everybody who opens it later.
      </p>
      {mine ? (
        <>
          <ErrorSummary form={form} labels={labels} formId="hand-out-form" />
          <ActForm
            act="hand-out"
            id="hand-out-form"
            form={form}
            needs="exercises:mark"
            encType="multipart/form-data"
            className="grid gap-4"
          >
            <TextArea
              form={form}
              name="reading"
              label={labels.reading}
              hint="Plain text; an empty line begins a paragraph."
              required
            />
            <TextArea
              form={form}
              name="exercise"
              label={labels.exercise}
              hint="What the learner does and hands in."
              required
            />
            <div>
              <SendButton look="primary">Hand out</SendButton>
            </div>
          </ActForm>
        </>
      ) : (
        <Words>{instructor} teaches this course and hands the module out.</Words>
      )}
    </div>
  );
}
