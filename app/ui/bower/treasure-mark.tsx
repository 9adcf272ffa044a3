import type { treasureOf } from '#app/ui/treasure-art.ts';

/** The shapes of a treasure, drawn on the server: browsers get no code for it. */
export type DrawnTreasure = ReturnType<typeof treasureOf>;

/** A treasure beside its words. `id` is unique on the page: the outline that cuts what lies inside carries it. */
export function TreasureMark({ treasure, id, className }: { treasure: DrawnTreasure; id: string; className: string }) {
  const { body, shapes } = treasure;
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
