import { type PointerEvent, type ReactNode, useEffect, useId, useRef } from 'react';

const openAfterMs = 700;
// Within this time of leaving one note the next opens at once.
const skipWithinMs = 300;
// Time to move the pointer from the text to its note.
const leaveAfterMs = 150;

let lastLeftAt = Number.NEGATIVE_INFINITY;

/**
 * A text with a note (P35). The note is the browser's own popover: it opens on a tap, a click or a key, without
 * JavaScript too, and closes on Escape. With JavaScript it also opens under the pointer and on focus. A browser that
 * knows no popovers shows the note as text.
 */
export function TextWithNote({ note, children }: { note: string; children: ReactNode }) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when React comes
  useEffect(() => {
    // The pointer may have come before React did.
    if (trigger.current?.matches(':hover')) timer.current = setTimeout(show, openAfterMs);
    return () => clearTimeout(timer.current);
  }, []);

  function show() {
    clearTimeout(timer.current);
    if (trigger.current) popup.current?.showPopover?.({ source: trigger.current });
  }

  function hide() {
    clearTimeout(timer.current);
    popup.current?.hidePopover?.();
  }

  function enter({ pointerType }: PointerEvent) {
    clearTimeout(timer.current);
    if (pointerType !== 'mouse') return;
    const wait = performance.now() - lastLeftAt < skipWithinMs ? 0 : openAfterMs;
    timer.current = setTimeout(show, wait);
  }

  function leave({ pointerType }: PointerEvent) {
    clearTimeout(timer.current);
    if (pointerType !== 'mouse') return;
    // A browser without popovers does not know the selector, and throws.
    if (popup.current?.showPopover && popup.current.matches(':popover-open')) lastLeftAt = performance.now();
    timer.current = setTimeout(hide, leaveAfterMs);
  }

  return (
    <span onPointerEnter={enter} onPointerLeave={leave}>
      <button
        ref={trigger}
        type="button"
        popoverTarget={id}
        aria-describedby={id}
        onClick={() => clearTimeout(timer.current)}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) show();
        }}
        onBlur={hide}
        className="cursor-help rounded-sm underline decoration-dotted decoration-from-font underline-offset-4"
      >
        {children}
      </button>
      <span
        ref={popup}
        id={id}
        popover="auto"
        role="tooltip"
        className="note max-w-72 rounded-control border border-line bg-card px-4 py-3 text-left font-sans text-sm font-normal tracking-normal text-ink normal-case shadow-float"
      >
        {note}
      </span>
    </span>
  );
}
