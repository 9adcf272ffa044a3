import { Tooltip } from '@base-ui/react/tooltip';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

type Props = { note: string; look: string; focused: boolean; children: ReactNode };

/** A text with its note in a tooltip. Loaded by noted.tsx when the pointer or the focus first reaches the text. */
export function NotedTooltip({ note, look, focused, children }: Props) {
  const trigger = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (focused) trigger.current?.focus();
  }, [focused]);
  return (
    <Tooltip.Root>
      <Tooltip.Trigger ref={trigger} className={look}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={8} className="z-50">
          <Tooltip.Popup className="max-w-72 rounded-control border border-line bg-card px-4 py-3 text-sm text-ink shadow-float">
            {note}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
