import { data, href } from 'react-router';
import { z } from 'zod';
import { blankStaffForm, common, type Refused, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { AnswerMark } from '#app/features/study/answer-mark.tsx';
import {
  findAnswer,
  markAnswer,
  type NotMarkedAnswer,
  readTask,
  readThreadForStaff,
} from '#app/features/study/answers.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { optionalText } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { Prose } from '#app/ui/prose.tsx';
import { ActForm, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/answer';

const idIn = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0);

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'exercises:read');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const answer = await findAnswer(db, actor, idIn(id));
    if (!answer) return null;
    return { answer, task: await readTask(db, actor, answer), thread: await readThreadForStaff(db, actor, answer) };
  });
  if (!found) throw data(`There is no answer ${id}.`, { status: 404 });
  const { answer, task, thread } = found;
  const last = thread.at(-1);
  return {
    name: showControlCharacters(answer.name ?? '') || 'To be named',
    course: answer.title,
    module: `${answer.module}. ${answer.module_title}`,
    exercise: task?.exercise ? renderMarkdown(task.exercise) : null,
    reading: task?.reading ? renderMarkdown(task.reading) : null,
    isLast: last?.id === answer.id && last.body !== last.link,
    accepted: last?.marks.at(-1)?.accepted ?? null,
    thread: thread.map(({ id: of, body, link, at, marks }) => ({
      id: of,
      body: showControlCharacters(body ?? ''),
      link: link ?? '',
      at: formatMoment(at),
      marks: marks.map((mark) => ({ ...mark, comment: mark.comment ?? '', at: formatMoment(mark.at) })),
    })),
    lastMark: last?.marks.at(-1)?.id ?? 0,
    form: blankStaffForm(0),
  };
}

const markForm = z.object({
  ...common,
  act: z.enum(['accept', 'not-yet']),
  comment: optionalText,
  /** The last mark that the page showed; 0 for none. */
  lastMark: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .default(0),
});

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const actor = staffFor(context, 'exercises:mark');
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema: markForm,
    subject: `answer:${idIn(id)}`,
    actor,
    compares: false,
    async act(trx, { act, comment, lastMark }, moment) {
      const now = await findAnswer(trx, actor, idIn(id));
      const last = now && (await readThreadForStaff(trx, actor, now)).at(-1)?.marks.at(-1);
      if (last && last.id !== lastMark) {
        const did = last.accepted ? 'accepted it' : 'asked for more';
        return {
          ...refused(`${last.by ?? 'Somebody'} ${did} on ${formatMoment(last.at)}, after you opened this page.`),
          values: { lastMark: String(last.id) },
        };
      }
      const mark = { answerId: idIn(id), accepted: act === 'accept', comment };
      const done = await markAnswer(trx, mark, { actor, moment });
      if (done.ok) return { ok: true as const, did: null };
      return done.reason === 'unknown' ? { ok: false as const, reason: 'missing' as const } : refusals[done.reason];
    },
  });
  return answerForm(result, href('/staff/answers'));
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const refusals: Record<Exclude<NotMarkedAnswer['reason'], 'unknown'>, Refused> = {
  newer: refused('The learner handed in another answer since. Mark that one.'),
  same: refused('It is marked so already.'),
  'no-comment': { ok: false, reason: 'refused', errors: { comment: 'Write what is missing.' } },
};

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `${loaderData.name}, ${loaderData.module}` : 'Exercise');

/** One exercise with everything said about it, to be marked (P60). */
export default function AnswerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, course, module, exercise, reading, isLast, accepted, thread, lastMark } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <div className="max-w-prose">
      <Back to={href('/staff/answers')}>Exercises</Back>
      <h1 className="text-2xl wrap-anywhere">{name}</h1>
      <p className="mb-5 text-mute">
        {course}, {module}
      </p>
      <WhoMay needs="exercises:mark" what="mark exercises" />
      <ErrorSummary form={form} labels={{ comment: 'Comment' }} formId="mark-form" />
      <section aria-labelledby="exercise" className="mb-6">
        <h2 id="exercise" className="mb-2 text-lg">
          The exercise
        </h2>
        {exercise ? <Prose html={exercise} /> : <p>The module has no text in the program.</p>}
        {reading && (
          <details className="mt-3">
            <summary className="w-fit cursor-pointer text-link">What the learner read before it</summary>
            <Prose html={reading} />
          </details>
        )}
      </section>
      <ol className="grid gap-5 border-l-3 border-straw pl-4">
        {thread.map((answer) => (
          <li key={answer.id} className="grid gap-3">
            <p className="tabular text-sm text-mute">{answer.at}</p>
            {answer.body && <p className="whitespace-pre-wrap wrap-anywhere">{answer.body}</p>}
            {answer.link && (
              <p>
                <a
                  href={answer.link}
                  rel="noreferrer noopener nofollow"
                  className="font-bold text-link underline underline-offset-4 wrap-anywhere"
                >
                  {answer.link}
                </a>
              </p>
            )}
            {!answer.body && !answer.link && <p className="text-mute">Deleted.</p>}
            {answer.marks.map((mark) => (
              <AnswerMark key={mark.id} mark={mark} />
            ))}
          </li>
        ))}
      </ol>
      {isLast ? (
        <ActForm
          act={null}
          id="mark-form"
          form={form}
          needs="exercises:mark"
          className="mt-6 grid gap-4"
          carries={{ lastMark: form.values.lastMark ?? lastMark }}
        >
          <TextArea
            form={form}
            name="comment"
            label="Comment"
            hint="The learner reads it in the email and on the page."
          />
          <div className="flex flex-wrap gap-3">
            {accepted !== true && (
              <SendButton name="act" value="accept" look="primary">
                Accept
              </SendButton>
            )}
            {accepted !== false && (
              <SendButton name="act" value="not-yet">
                {accepted ? 'Take back: not yet' : 'Not yet'}
              </SendButton>
            )}
          </div>
        </ActForm>
      ) : (
        <p className="mt-6">A later answer was handed in, or this one was deleted.</p>
      )}
    </div>
  );
}
