import { treasureOf } from '#app/ui/treasure-art.ts';
import type { Treasure } from './treasure.ts';

/** A treasure beside its words. `id` is unique on the page: the outline that cuts what lies inside carries it. */
export function TreasureMark({ treasure, id, className }: { treasure: Treasure; id: string; className: string }) {
  const { body, shapes } = treasureOf(treasure);
  return (
    <svg viewBox="-2 -2 52 52" className={className} aria-hidden="true" strokeLinecap="round" strokeLinejoin="round">
      <clipPath id={id}>
        <path d={body} />
      </clipPath>
      {shapes.map(({ d, fill = 'none', inside, ...look }) => (
        <path key={`${d} ${look.stroke ?? fill}`} d={d} fill={fill} {...look} clipPath={inside && `url(#${id})`} />
      ))}
    </svg>
  );
}
