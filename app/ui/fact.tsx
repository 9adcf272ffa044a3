import type { ReactNode } from 'react';
import { TextWithNote } from './text-with-note.tsx';

/** A figure with its name; `note` says how the figure comes about. */
export function Fact({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-on-satin-mute">{label}</dt>
      <dd className="tabular font-display text-xl font-bold">
        {note ? <TextWithNote note={note}>{children}</TextWithNote> : children}
      </dd>
    </div>
  );
}
