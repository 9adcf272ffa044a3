import { href } from 'react-router';

/** A drawn portrait, shown beside the instructor's name. `className` sets its size. */
export function Portrait({ slug, className }: { slug: string; className: string }) {
  return (
    <img
      src={href('/art/:kind/:file', { kind: 'instructor', file: `${slug}.svg` })}
      alt=""
      width={96}
      height={96}
      loading="lazy"
      className={`no-print shrink-0 rounded-card ${className}`}
    />
  );
}
