/** The logo, an arch over a blue gem. Hidden from screen readers, because the academy's name is written beside it. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" className={className} aria-hidden="true">
      <path
        d="M6 41C3 23 12 9 24 6M12 42C9 27 16 14 25 9M42 41C45 23 36 9 24 6M36 42C39 27 32 14 23 9"
        fill="none"
        stroke="#e8c872"
        strokeWidth="3.4"
        strokeLinecap="round"
      />
      <path d="m24 21 9.5 10-9.5 12-9.5-12Z" fill="#7fa2ff" />
    </svg>
  );
}
