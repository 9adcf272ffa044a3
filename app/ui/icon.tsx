import { href } from 'react-router';

const sheet = href('/art/:file', { file: 'icons.svg' });

/**
 * One icon of icons.ts as a small picture in the colour of the text (no picture when there is none of that name); `--icon-ink` is the colour inside its body. Decoration, unless
 * it has a label.
 */
export function Icon({ name, className, label }: { name: string; className?: string; label?: string }) {
  return (
    <svg
      viewBox="0 0 48 48"
      className={className}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      <use href={`${sheet}#${name}`} />
    </svg>
  );
}
