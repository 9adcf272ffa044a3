import { encode } from 'uqr';

/** A QR code as the path of an SVG picture: dark modules as squares of one unit, with the quiet border of four. */
export function qrCode(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 4, ecc: 'M' });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return { path, size };
}
