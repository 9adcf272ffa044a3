import { type ReactNode, useRef, useState } from 'react';
import type { NotedTooltip } from './noted-tooltip.tsx';

const look = 'cursor-help rounded-sm underline decoration-dotted decoration-2 underline-offset-4';

/**
 * A text with a note in a tooltip (P35). The tooltip's code is larger than the rest of the page's own code, so it is
 * loaded when the pointer or the focus first reaches the text. Screen readers get the note at once.
 */
export function Noted({ note, children }: { note: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  const [tooltip, setTooltip] = useState<{ Loaded: typeof NotedTooltip; focused: boolean } | null>(null);
  const content = (
    <>
      {children}
      <span className="sr-only">. {note}</span>
    </>
  );

  async function load() {
    const { NotedTooltip: Loaded } = await import('./noted-tooltip.tsx');
    setTooltip({ Loaded, focused: document.activeElement === button.current });
  }

  if (tooltip) {
    return (
      <tooltip.Loaded note={note} look={look} focused={tooltip.focused}>
        {content}
      </tooltip.Loaded>
    );
  }
  return (
    <button ref={button} type="button" onPointerEnter={load} onFocus={load} className={look}>
      {content}
    </button>
  );
}
