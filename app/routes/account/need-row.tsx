import { Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import type { Need } from './needs.ts';

/** One thing that waits for the player, with its day and its button. */
export function NeedRow({ need: { by, title, detail, act }, filled }: { need: Need; filled: boolean }) {
  return (
    <li className="grid items-center gap-x-8 gap-y-2 border-t border-line py-4 md:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <p className="text-sm font-bold">{by}</p>
      <div className="min-w-0">
        <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
        <p className="text-sm text-mute wrap-anywhere">{detail}</p>
      </div>
      <Link
        to={act.to}
        aria-label={`${act.text}: ${title}`}
        className={`${filled ? button.primary : button.quiet} justify-self-start md:justify-self-end`}
      >
        {act.text}
      </Link>
    </li>
  );
}
