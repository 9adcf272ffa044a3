import { href, Link } from 'react-router';
import type { ShelfItem } from '#app/features/bower/view.server.ts';
import { TreasureMark } from '#app/ui/bower/treasure-mark.tsx';

type Props = {
  items: readonly ShelfItem[];
  underWay: readonly { slug: string; title: string; percent: number }[];
};

/** The treasures of a bower as a list, and the courses under way: the drawing shows the same, this says it. */
export function BowerShelf({ items, underWay }: Props) {
  return (
    <ul className="grid gap-x-10 sm:grid-cols-2 xl:grid-cols-3">
      {items.map(({ slug, title, treasure, finished, number }) => (
        <li key={slug} className="flex min-w-0 items-center gap-5 py-3">
          <TreasureMark treasure={treasure} id={`shelf-${slug}`} className="size-12 shrink-0" />
          <div className="min-w-0">
            <h2 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h2>
            <p className="text-sm text-on-satin-mute">
              {finished} ·{' '}
              <Link
                to={href('/account/certificates/:number', { number })}
                aria-label={`Certificate of ${title}`}
                className="font-bold text-on-satin underline underline-offset-4"
              >
                certificate
              </Link>
            </p>
          </div>
        </li>
      ))}
      {underWay.map(({ slug, title, percent }, at) => (
        <li key={slug} className="flex min-w-0 items-center gap-5 py-3 text-on-satin-mute">
          <span
            aria-hidden="true"
            className="size-12 shrink-0 rounded-full border border-dashed border-on-satin-mute/60"
          />
          <div className="min-w-0">
            <h2 className="font-sans text-[1.0625rem] leading-6 font-medium wrap-anywhere">{title}</h2>
            <p className="text-sm">{at === 0 ? `${percent}%, in the bird’s beak` : `${percent}%`}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
