import { type MouseEvent, useRef, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { Sign } from '#app/ui/sign.tsx';
import type { Demonstration } from './demonstrations.ts';

export type WatchableDemo = Pick<Demonstration, 'id' | 'title'>;

/** Watch Demo: a link to the demonstration's own page, which opens in a dialog where scripts run (P19). */
export function WatchDemo({ demonstration, className }: { demonstration: WatchableDemo; className: string }) {
  const { id, title } = demonstration;
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, setOpened] = useState(0);
  const [demo, setDemo] = useState<typeof import('./quest-demo-of.tsx')>();
  const navigate = useNavigate();
  const address = `${href('/demo')}#${id}`;

  async function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    try {
      setDemo(await import('./quest-demo-of.tsx'));
      setOpened(opened + 1);
      dialog.current?.showModal();
    } catch {
      // The dialog's code could not be fetched; the page shows the same.
      navigate(address);
    }
  }

  return (
    <>
      <Link to={address} onClick={open} className={className}>
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
            <Sign name="close" className="size-5" />
          </button>
        </div>
        {demo && <demo.QuestDemoOf key={opened} id={id} />}
      </dialog>
    </>
  );
}
