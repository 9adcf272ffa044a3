import { renderAsync } from '@resvg/resvg-js';
import type { Treasure } from '#app/ui/treasure-art.ts';

const size = 512;

/** A treasure as a square PNG on the brand's satin. */
export async function drawTreasure({ body, shapes }: Treasure): Promise<Uint8Array<ArrayBuffer>> {
  const paths = shapes.map(({ d, fill = 'none', fillOpacity = 1, stroke = 'none', strokeWidth = 0, inside }) => {
    const look = `fill="${fill}" fill-opacity="${fillOpacity}" stroke="${stroke}" stroke-width="${strokeWidth}"`;
    return `<path d="${d}" ${look}${inside ? ' clip-path="url(#b)"' : ''}/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 68 68"><clipPath id="b"><path d="${body}"/></clipPath><path fill="#140f33" d="M-10-10h68v68h-68z"/><g stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g></svg>`;
  const drawn = await renderAsync(svg, { fitTo: { mode: 'width', value: size } });
  return new Uint8Array(drawn.asPng());
}
