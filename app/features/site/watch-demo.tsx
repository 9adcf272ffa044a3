import { X } from 'lucide-react';
import { type MouseEvent, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import type { Demonstration } from './demonstrations.ts';
import { QuestDemo } from './quest-demo.tsx';

/** Watch Demo: a link to the demonstration's own page, which opens in a dialog where scripts run (P19). */
export function WatchDemo({ demonstration, className }: { demonstration: Demonstration; className: string }) {
  const { id, title, steps } = demonstration;
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, setOpened] = useState(0);

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setOpened(opened + 1);
    dialog.current?.showModal();
  }

  return (
    <>
      <Link to={`${href('/demo')}#${id}`} onClick={open} className={className}>
        Watch Demo
      </Link>
      <dialog
        ref={dialog}
        id={id}
        aria-labelledby={`${id}-title`}
        className="m-auto w-[min(46rem,calc(100vw-2rem))] rounded-card border border-line bg-card p-5 text-left text-ink shadow-float backdrop:bg-satin/80 sm:p-7"
      >
        <div className="mb-5 flex items-center justify-between gap-4">
          <h2 id={`${id}-title`} className="text-2xl">
            {title}
          </h2>
          <button
            type="button"
            onClick={() => dialog.current?.close()}
            aria-label="Close the demonstration"
            className="flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-paper"
          >
            <X className="size-5" aria-hidden="true" />
          </button>
        </div>
        {opened > 0 && <QuestDemo key={opened} steps={steps} />}
      </dialog>
    </>
  );
}
