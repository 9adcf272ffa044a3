import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';

/** A figure with its name; `note` says in a tooltip how the figure comes about (P35 sets the delays at the root). */
export function Fact({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-on-satin-mute">{label}</dt>
      <dd className="tabular font-display text-xl font-bold">
        {note ? <Noted note={note}>{children}</Noted> : children}
      </dd>
    </div>
  );
}

function Noted({ note, children }: { note: string; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className="cursor-help rounded-sm underline decoration-dotted decoration-2 underline-offset-4">
        {children}
        <span className="sr-only">. {note}</span>
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
