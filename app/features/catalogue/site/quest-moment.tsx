import { href, Link } from 'react-router';
import { Sign } from '#app/ui/sign.tsx';
import { DemoLines } from './demo-lines.tsx';
import type { Moment } from './moments.ts';

/** A question from a course; each answer opens the instructor's note on it. It works without scripts. */
export function QuestMoment({ moment: { id, lines, question, choices } }: { moment: Moment }) {
  return (
    <div>
      <DemoLines lines={lines} />
      <p className="mt-5 font-display text-xl font-bold">{question}</p>
      <div className="mt-3 grid gap-2">
        {choices.map(({ answer, note }) => (
          <details key={answer} name={id} className="group rounded-control border border-edge bg-card">
            <summary className="flex min-h-11 items-center justify-between gap-3 px-4 py-2 font-bold">
              {answer}
              <Sign name="down" className="size-4 shrink-0 group-open:rotate-180" />
            </summary>
            <p className="max-w-prose border-t border-line px-4 py-3">{note}</p>
          </details>
        ))}
      </div>
      <p className="mt-4">
        <Link to={`${href('/demo')}#${id}`} className="font-bold text-link underline underline-offset-4">
          See how it ends
        </Link>
      </p>
    </div>
  );
}
