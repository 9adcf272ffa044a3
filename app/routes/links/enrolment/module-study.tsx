import { Form, Link, useNavigation } from 'react-router';
import { AnswerMark } from '#app/features/study/answer-mark.tsx';
import { formatCount } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Prose } from '#app/ui/prose.tsx';
import { Sign } from '#app/ui/sign.tsx';

type ThreadShown = {
  id: number;
  at: string;
  /** The whole text; both are '' once it was erased. */
  body: string;
  link: string;
  marks: { id: number; accepted: boolean; by: string; at: string; comment: string }[];
};

export type StudyShown = {
  /** HTML; null while the module is not open. */
  reading: string | null;
  exercise: string | null;
  state: 'accepted' | 'not-yet' | 'handed-in' | 'none';
  thread: ThreadShown[];
  /** The time at which the draft in the form was saved; null without one. */
  draftSaved: string | null;
};

/**
 * Reading, exercise, answers with their marks, and the form for another answer (P60): the same by a link and in an
 * account.
 */
export function ModuleStudy({
  study,
  form,
  path,
  open,
}: {
  study: StudyShown;
  form: FormState;
  path: string;
  open: boolean;
}) {
  const { reading, exercise, state, thread } = study;
  return (
    <>
      {reading !== null && (
        <section className="grid grid-cols-1 gap-4">
          <h2 className="text-2xl">Reading</h2>
          <Prose html={reading} />
        </section>
      )}
      <section className="grid grid-cols-1 gap-4">
        <h2 className="text-2xl">Exercise</h2>
        {exercise !== null && <Prose html={exercise} />}
        {thread.length > 0 && <Thread answers={thread} />}
        {state === 'accepted' && <p className="font-bold">Accepted. There is nothing more to hand in.</p>}
        {state === 'handed-in' && (
          <p>You have handed in an answer. Your instructor marks it, and we tell you by email.</p>
        )}
        {state !== 'accepted' && open && <AnswerForm study={study} form={form} path={path} />}
      </section>
    </>
  );
}

function Thread({ answers }: { answers: readonly ThreadShown[] }) {
  return (
    <ol className="grid gap-5 border-l-3 border-straw pl-4">
      {answers.map(({ id, at, body, link, marks }) => (
        <li key={id} className="grid gap-3">
          <div>
            <p className="tabular text-sm text-mute">You, {at}</p>
            {body && <p className="whitespace-pre-wrap wrap-anywhere">{body}</p>}
            {link && <p className="wrap-anywhere">{link}</p>}
            {!body && !link && <p className="text-mute">This answer was deleted.</p>}
          </div>
          {marks.map((mark) => (
            <AnswerMark key={mark.id} mark={mark} />
          ))}
        </li>
      ))}
    </ol>
  );
}

export const answerLabels = { answer: 'Your answer', link: 'Or a link to your document' };
export const answerFormId = 'answer-form';

function AnswerForm({ study, form, path }: { study: StudyShown; form: FormState; path: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    // Many letters need several bytes, which the usual encoding triples.
    <Form id={answerFormId} method="post" action={path} encType="multipart/form-data" className="grid gap-4" noValidate>
      <TextArea form={form} name="answer" label={answerLabels.answer} hint="Text of up to 20,000 characters." />
      <TextField form={form} name="link" label={answerLabels.link} type="url" inputMode="url" />
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" name="act" value="hand-in" disabled={sending} className={button.primary}>
          {study.thread.length === 0 ? 'Hand in' : 'Hand in again'}
        </button>
        <button type="submit" name="act" value="draft" disabled={sending} className={button.quiet}>
          Save draft
        </button>
        {study.draftSaved && <span className="tabular text-sm text-mute">Draft saved {study.draftSaved}</span>}
      </div>
    </Form>
  );
}

export type ModuleLink = { number: number; title: string; state: string; to: string };

/** The modules of a course beside one of them; folded on a phone. */
export function ModuleNav({ modules, current }: { modules: readonly ModuleLink[]; current: number }) {
  const list = (
    <ol className="border-t border-line">
      {modules.map(({ number, title, state, to }) => (
        <li key={number} className="border-b border-line">
          <Link
            to={to}
            prefetch="none"
            aria-current={number === current ? 'page' : undefined}
            className="grid min-h-11 grid-cols-[1.5rem_minmax(0,1fr)] py-2.5 aria-[current=page]:font-bold hover:text-link"
          >
            <span className="tabular text-mute">{number}</span>
            <span>
              {title}
              <span className="block text-sm text-mute">{state}</span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
  return (
    <nav aria-label="Modules">
      <details className="group lg:hidden">
        <summary className="flex min-h-11 items-center justify-between gap-4 font-bold">
          Module {current} of {modules.length}
          <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
        </summary>
        {list}
      </details>
      <div className="max-lg:hidden">{list}</div>
    </nav>
  );
}

/** `275 of 1,000 XP`, with its part of a bar. */
export function ProgressLine({ percent, xp, courseXp }: { percent: number; xp: number; courseXp: number }) {
  return (
    <div className="grid gap-2">
      <p className="tabular text-sm">
        {`${percent}% done · `}
        <b className="text-xp">{formatCount(xp)}</b> of {formatCount(courseXp)} XP
      </p>
      <progress value={percent} max={100} aria-label="Progress" className="xp-bar" />
    </div>
  );
}
