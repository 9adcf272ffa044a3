import { useEffect, useRef } from 'react';
import { Sign } from '#app/ui/sign.tsx';
import { demonstrations, type WatchableDemo } from './demonstrations.ts';
import { QuestDemo } from './quest-demo.tsx';

/** A demonstration in a dialog that opens at once. Apart, so that its texts are fetched only when it is asked for. */
export function DemoDialog({ demonstration: { id, title } }: { demonstration: WatchableDemo }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const steps = demonstrations.find((one) => one.id === id)?.steps ?? [];
  return (
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
      <QuestDemo steps={steps} />
    </dialog>
  );
}
