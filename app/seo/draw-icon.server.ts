import { renderAsync } from '@resvg/resvg-js';
import favicon from '#app/ui/favicon.svg?raw';

/**
 * The site's icon as a square PNG of `size` pixels. A maskable one fills the whole square and keeps the mark within the
 * middle 80%, because systems cut it into a shape of their own.
 */
export async function drawIcon(size: number, { maskable }: { maskable: boolean }): Promise<Uint8Array<ArrayBuffer>> {
  const within = favicon.replace('<svg ', '<svg x="6" y="6" width="48" height="48" ');
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><path fill="#140f33" d="M0 0h60v60H0z"/>${within}</svg>`;
  const drawn = await renderAsync(maskable ? whole : favicon, { fitTo: { mode: 'width', value: size } });
  return new Uint8Array(drawn.asPng());
}
