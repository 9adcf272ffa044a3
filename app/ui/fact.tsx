import type { ReactNode } from 'react';
import { Noted } from './noted.tsx';

/** A figure with its name; `note` says how the figure comes about. */
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
