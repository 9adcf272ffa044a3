import { href, Link } from 'react-router';
import type { Treasure } from '#app/ui/bower/treasure.ts';
import { TreasureMark } from '#app/ui/bower/treasure-mark.tsx';

export type ShelfItem = {
  slug: string;
  title: string;
  treasure: Treasure;
  /** `September 2025` */
  finished: string;
  /** Milliseconds of the moment of its certificate. */
  issued: number;
  number: string;
};

/** The treasures of a bower as a list: the drawing shows the same, this says it. */
export function Shelf({ items }: { items: readonly ShelfItem[] }) {
  return (
    <ul className="grid gap-x-10 sm:grid-cols-2">
      {items.map(({ slug, title, treasure, finished, number }) => (
        <li key={slug} className="flex min-w-0 items-center gap-5 py-3">
          <TreasureMark treasure={treasure} id={`shelf-${slug}`} className="size-12 shrink-0" />
          <div className="min-w-0">
            <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
            <p className="text-sm text-on-satin-mute">
              {finished} ·{' '}
              <Link
                to={href('/certificates/:number', { number })}
                aria-label={`Certificate of ${title}`}
                className="font-bold text-on-satin underline underline-offset-4"
              >
                certificate
              </Link>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
