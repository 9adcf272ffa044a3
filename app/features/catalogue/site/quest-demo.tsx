import { useEffect, useState } from 'react';
import { button } from '#app/ui/button.ts';
import { Sign } from '#app/ui/sign.tsx';
import { DemoLines } from './demo-lines.tsx';
import type { Demonstration } from './demonstrations.ts';

const stepMs = 5000;

/** A captioned demonstration one can pause, step and read; it starts only when asked to (P19). */
export function QuestDemo({ steps }: Pick<Demonstration, 'steps'>) {
  const [step, setStep] = useState(0);
  const [playing, setPlaying] = useState(false);
  const last = steps.length - 1;

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      setStep(Math.min(step + 1, last));
      if (step + 1 >= last) setPlaying(false);
    }, stepMs);
    return () => clearTimeout(timer);
  }, [playing, step, last]);

  const ended = step === last && !playing;
  function toggle() {
    if (ended) setStep(0);
    setPlaying(!playing);
  }

  return (
    <div>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {steps.map(({ lines, caption }, at) => (
          <li
            key={caption}
            className={at <= step ? '' : 'hidden [@media(scripting:none)]:block'}
            aria-current={at === step ? 'step' : undefined}
          >
            <DemoLines lines={lines} />
            <p className="mt-2 max-w-prose">{caption}</p>
          </li>
        ))}
      </ol>
      <div className="needs-scripts mt-6 flex flex-wrap items-center gap-3">
        <button type="button" onClick={toggle} className={button.primary}>
          {playing ? (
            <Sign name="pause" className="size-4" />
          ) : ended ? (
            <Sign name="again" className="size-4" />
          ) : (
            <Sign name="play" className="size-4" />
          )}
          {playing ? 'Pause' : ended ? 'Play again' : 'Play'}
        </button>
        <button
          type="button"
          onClick={() => setStep(Math.max(0, step - 1))}
          disabled={step === 0}
          className={`${button.quiet} disabled:opacity-50`}
        >
          Back
        </button>
        <button
          type="button"
          onClick={() => setStep(Math.min(last, step + 1))}
          disabled={step === last}
          className={`${button.quiet} disabled:opacity-50`}
        >
          Next
        </button>
        <p role="status" className="tabular text-mute">
          Step {step + 1} of {steps.length}
        </p>
      </div>
    </div>
  );
}
