import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import bricolageBold from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff?inline';
import figtreeMedium from '@fontsource/figtree/files/figtree-latin-500-normal.woff?inline';
import { renderAsync } from '@resvg/resvg-js';
import type { SatoriOptions } from 'satori';
import satori from 'satori';
import type { SharePicture } from './share-picture.ts';

const deflated = promisify(deflate);
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Filter "Up" (PNG, 9.2): each byte less the one above it, which suits pictures of smooth shades. */
const up = 2;

/**
 * A PNG of opaque pixels, four bytes each (RGBA), without their alpha and without loss: a little over half the size that
 * the drawing library packs it in. Packing runs outside the event loop's thread.
 */
async function packPng(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const row = width * 3;
  const filtered = new Uint8Array((row + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    filtered[at++] = up;
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        const above = y > 0 ? (pixels[from + channel - width * 4] ?? 0) : 0;
        filtered[at++] = (pixels[from + channel] ?? 0) - above;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a channel, true colour without alpha.
  header.set([8, 2], 8);
  const body = await deflated(filtered, { level: 9 });
  return new Uint8Array(
    Buffer.concat([Buffer.from(signature), chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

const [shareWidth, shareHeight] = [1200, 630];

const fonts: SatoriOptions['fonts'] = [
  { name: 'Figtree', data: bytesOf(figtreeMedium), weight: 500 },
  { name: 'Bricolage Grotesque', data: bytesOf(bricolageBold), weight: 700 },
];

function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}

const textWidth = 600;
export const titleHeight = 300;
const titleSizes = [92, 80, 70, 62, 54, 48, 42, 38, 34, 30];
/** The widest letters of the title's font, as a share of its size: no word may be wider than the text. */
const letterWidth = 0.62;

/**
 * Draws the picture that networks show beside a shared link, 1200 by 630 pixels, as PNG. `art` is a whole SVG file,
 * 16 by 9, whose main part lies in its middle. The layout takes a few milliseconds, the drawing about 30 in a thread of
 * its own, the packing 15.
 */
export async function drawSharePicture(picture: SharePicture, art: string): Promise<Uint8Array<ArrayBuffer>> {
  const size = await titleSize(picture.title);
  const svg = await satori(<Picture picture={picture} art={art} size={size} />, {
    width: shareWidth,
    height: shareHeight,
    fonts,
  });
  const drawn = await renderAsync(svg, { font: { loadSystemFonts: false } });
  return packPng(drawn.pixels, shareWidth, shareHeight);
}

/** The largest size in pixels at which the whole title fits; a title may have 80 letters (content/schemas). */
export async function titleSize(title: string): Promise<number> {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => word.length));
  for (const size of titleSizes) {
    if (longest * size * letterWidth <= textWidth && (await titleHeightAt(title, size)) <= titleHeight) return size;
  }
  return titleSizes.at(-1) ?? 30;
}

/** How high a title is at a size, in pixels: without a height, satori makes the picture as high as its text. */
export async function titleHeightAt(title: string, size: number): Promise<number> {
  const svg = await satori(<Title title={title} size={size} />, { width: textWidth, fonts });
  return Number(/height="([\d.]+)"/.exec(svg)?.[1]);
}

function Title({ title, size }: { title: string; size: number }) {
  const style = { fontFamily: 'Bricolage Grotesque', fontSize: size, lineHeight: 1.08, letterSpacing: '-0.02em' };
  return <div style={{ ...style, display: 'flex', width: textWidth, wordBreak: 'break-word' }}>{title}</div>;
}

function Picture({ picture, art, size }: { picture: SharePicture; art: string; size: number }) {
  const artWidth = (shareHeight * 16) / 9;
  const cover = { display: 'flex', position: 'absolute', top: 0, height: shareHeight } as const;
  const shade = 'linear-gradient(90deg, #140f33 0%, #140f33 38%, rgba(20,15,51,0.88) 50%, rgba(20,15,51,0) 64%)';
  return (
    <div
      style={{
        display: 'flex',
        position: 'relative',
        width: shareWidth,
        height: shareHeight,
        background: '#140f33',
        color: '#ffffff',
        fontFamily: 'Figtree',
      }}
    >
      <img
        alt=""
        src={`data:image/svg+xml;base64,${Buffer.from(art).toString('base64')}`}
        width={artWidth}
        height={shareHeight}
        style={{ ...cover, left: 390 }}
      />
      <div style={{ ...cover, left: 0, width: shareWidth, backgroundImage: shade }} />
      <div
        style={{
          ...cover,
          left: 0,
          boxSizing: 'border-box',
          width: 72 + textWidth,
          padding: '60px 0 56px 72px',
          flexDirection: 'column',
          justifyContent: 'space-between',
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', gap: 18, fontSize: 32 }}>
          <svg viewBox="0 0 48 48" width={56} height={56} aria-hidden="true">
            <path
              d="M6 41C3 23 12 9 24 6M12 42C9 27 16 14 25 9M42 41C45 23 36 9 24 6M36 42C39 27 32 14 23 9"
              fill="none"
              stroke="#e8c872"
              strokeWidth="3.4"
              strokeLinecap="round"
            />
            <path d="m24 21 9.5 10-9.5 12-9.5-12Z" fill="#7fa2ff" />
          </svg>
          Bowerbird Academy
        </div>
        <div style={{ display: 'flex', flexDirection: 'column' }}>
          <div style={{ display: 'flex', color: '#e8c872', fontSize: 32, marginBottom: 14 }}>{picture.kicker}</div>
          <Title title={picture.title} size={size} />
        </div>
        <div style={{ display: 'flex', flexDirection: 'column', color: '#cfcbea', fontSize: 32 }}>
          {picture.facts.map((line) => (
            <div key={line} style={{ display: 'flex' }}>
              {line}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
