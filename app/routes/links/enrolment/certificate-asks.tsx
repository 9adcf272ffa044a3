import type { ReactNode } from 'react';
import type { Requirements } from '#app/features/progress/requirements.ts';
import { Sign } from '#app/ui/sign.tsx';

/** The requirements of a place's certificate and their states, so that nobody waits for one in vain (P61). */
export function CertificateAsks({ asks: { counted, work } }: { asks: Requirements }) {
  return (
    <div className="mt-3 grid gap-4 border-t border-line pt-5">
      <h3 className="text-xl">For your certificate</h3>
      <p>{work ? 'We issue it when both of these are done.' : 'We issue it when this is done.'}</p>
      <ul className="grid gap-4">
        <Asked {...counted} />
        {work && (
          <Asked {...work}>
            <p className="mt-2 text-sm">What the course page said when this place was bought:</p>
            <blockquote className="mt-1 border-l-3 border-straw pl-3 text-sm">{work.text}</blockquote>
          </Asked>
        )}
      </ul>
    </div>
  );
}

type AskedProps = Requirements['counted'] & { children?: ReactNode };

function Asked({ what, state, met, children }: AskedProps) {
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
      {met ? (
        <Sign name="check" className="mt-0.5 size-5 text-link" />
      ) : (
        <span aria-hidden="true" className="pl-1 font-bold text-mute">
          –
        </span>
      )}
      <div>
        <p className="font-bold">{what}</p>
        <p className="tabular text-mute">{state}</p>
        {children}
      </div>
    </li>
  );
}
