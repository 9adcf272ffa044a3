import type { ReactNode } from 'react';
import { useLocation } from 'react-router';

type Props = {
  /** The content and classes of its button. */
  button: ReactNode;
  label: string;
  className: string;
  /** Classes of the opened box, such as its position. */
  float: string;
  children: ReactNode;
};

/**
 * A button that opens what is in it over the page: `<details>`, so that it works without scripts. With them the next
 * page, Escape and the focus elsewhere close it.
 */
export function DropMenu({ button, label, className, float, children }: Props) {
  const { key } = useLocation();
  return (
    <details
      key={key}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
    >
      <summary aria-label={label} className={className}>
        {button}
      </summary>
      <div className={`absolute z-30 rounded-2xl border border-line bg-card text-ink shadow-float ${float}`}>
        {children}
      </div>
    </details>
  );
}
