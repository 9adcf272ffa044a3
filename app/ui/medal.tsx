const fills = { bronze: 'fill-bronze', silver: 'fill-silver', gold: 'fill-gold', diamond: 'fill-diamond' } as const;

/** A tier's medal. Hidden from screen readers, because the level is always written beside it. */
export function Medal({ tier }: { tier: keyof typeof fills }) {
  return (
    <svg viewBox="0 0 20 20" className="size-4 shrink-0" aria-hidden="true">
      <path d="M10 1.5 17.5 7 14.7 17.5H5.3L2.5 7Z" className={fills[tier]} stroke="#0004" strokeLinejoin="round" />
    </svg>
  );
}
