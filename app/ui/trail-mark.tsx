import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

type Props = {
  /** The treasure at this step; none at the end of the trail, where the bower is. */
  icon: IconName | null;
  /** Whether one can pass it by: the trail is dashed and the treasure hollow. */
  optional?: boolean;
};

/**
 * One stretch of a trail of straw with its treasure; it grows with the text beside it, to the next in a list with gaps
 * of 1.5rem. It runs beside the treasures and not behind them, since print has no grounds to hide it. Decoration.
 */
export function TrailMark({ icon, optional = false }: Props) {
  return (
    <div className="relative w-14 shrink-0 self-stretch sm:w-20" aria-hidden="true">
      {icon !== null && (
        <svg
          aria-hidden="true"
          viewBox="0 0 80 100"
          preserveAspectRatio="none"
          className="absolute inset-x-0 top-14 h-[calc(100%-2rem)] w-full sm:top-16 sm:h-[calc(100%-2.5rem)]"
        >
          <path
            d="M40 0C10 22 70 34 40 50S10 84 40 100"
            fill="none"
            className="stroke-straw"
            strokeWidth="5"
            strokeLinecap="round"
            strokeDasharray={optional ? '1 11' : undefined}
            vectorEffect="non-scaling-stroke"
          />
          <path
            d="M36 0C22 30 58 30 44 50S24 72 36 100"
            fill="none"
            className="stroke-edge"
            strokeWidth="1.5"
            strokeDasharray={optional ? '1 9' : undefined}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      {icon === null ? (
        <svg aria-hidden="true" viewBox="0 0 64 64" className="relative mx-auto block size-14 sm:size-18">
          <g fill="none" className="stroke-straw" strokeWidth="4" strokeLinecap="round">
            <path d="M10 60C4 34 16 14 36 4M18 60C12 38 22 18 38 8M54 60C60 34 48 14 28 4M46 60C52 38 42 18 26 8" />
          </g>
          <path d="M24 44h16l5 7-13 11-13-11Z" className="fill-link" />
        </svg>
      ) : (
        <span
          className={`relative mx-auto flex size-14 items-center justify-center rounded-full border-2 sm:size-16 ${optional ? 'border-dashed border-edge bg-paper' : 'border-straw bg-card'}`}
        >
          <Icon name={icon} className="size-8 text-link sm:size-9" />
        </span>
      )}
    </div>
  );
}
