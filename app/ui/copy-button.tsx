import { useEffect, useState } from 'react';

/** Copies a value; shown only where the browser can do it, so never without scripts. `what` names the value, such as `BSB`. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const [state, setState] = useState<'unable' | 'ready' | 'copied'>('unable');
  useEffect(() => {
    if (navigator.clipboard) setState('ready');
  }, []);
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('ready'), 4000);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === 'unable') return null;
  const copied = state === 'copied';
  return (
    <button
      type="button"
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      onClick={() =>
        void navigator.clipboard.writeText(value).then(
          () => setState('copied'),
          () => setState('unable'),
        )
      }
      className="no-print inline-flex min-h-11 items-center gap-1.5 rounded-control px-1 font-semibold text-link"
    >
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="size-4.5"
        aria-hidden="true"
      >
        <path
          d={
            copied
              ? 'M4.5 12.5l5 5L20 7'
              : 'M9 9h11v11H9zM15 9V4.5C15 4.2 14.8 4 14.5 4h-10C4.2 4 4 4.2 4 4.5v10c0 .3.2.5.5.5H9'
          }
        />
      </svg>
      <span className="max-sm:sr-only">{copied ? 'Copied' : 'Copy'}</span>
      <span role="status" className="sr-only">
        {copied && `${what} copied`}
      </span>
    </button>
  );
}
