const upperBeak = '<path d="M163 41c9-2 21 2 30 11-8 2-18 3-27 3Z" fill="#e6e3c4"/>';

/**
 * The satin bowerbird, looking right, on a grid of 210 by 170 with its feet at 102,160. `carried` is markup on the grid
 * of 48 that lies in its beak; `'straw'` is a straw.
 */
export function birdMarkup(carried: string | 'straw' | null, id: string): string {
  const barbs = Array.from({ length: 7 }, (_, at) => {
    return `M${112 - at * 8} ${84 + at * 3}q-10 ${11 - at}-24 ${(17 - at * 1.4).toFixed(1)}`;
  }).join('');
  return [
    `<linearGradient id="${id}" x1=".7" y1="0" x2=".35" y2="1"><stop offset="0" stop-color="#5b74ff"/><stop offset=".38" stop-color="#2f3aa6"/><stop offset="1" stop-color="#120b3a"/></linearGradient>`,
    // Legs, tail, body with light along the back, wing, brow.
    '<path d="M94 128l-3 30m0 0-13 3m13-3 4 5m-4-5 12 2M112 126l3 32m0 0-12 3m12-3 5 5m-5-5 12 1" fill="none" stroke="#b9a57a" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/>',
    '<path d="M72 100C50 106 26 116 6 130c-2 5 0 10 4 12 22 0 40-6 60-12Z" fill="#1b1556"/><path d="M8 132c20-8 40-16 58-20M12 140c20-4 38-10 54-16" stroke="#4a5fe0" stroke-width="1.4" fill="none" opacity=".7"/>',
    `<path d="M168 50c-3-20-20-31-38-29-18 2-30 14-38 28-10 16-30 34-44 62-3 8 0 18 10 22 28 10 62 6 84-16 14-14 24-34 27-52Z" fill="url(#${id})"/>`,
    '<path d="M168 50c-3-20-20-31-38-29-18 2-30 14-38 28-10 16-30 34-44 62" fill="none" stroke="#9db4ff" stroke-width="2" stroke-linecap="round" opacity=".85"/>',
    '<path d="M116 74C92 74 66 92 40 124c34 6 66-2 82-24 8-12 5-24-6-26Z" fill="#2836a8"/>',
    `<path d="${barbs}" stroke="#7f9bff" stroke-width="1.6" stroke-linecap="round" fill="none" opacity=".75"/>`,
    '<path d="M122 28c10-5 24-3 32 6" stroke="#cdd9ff" stroke-width="2" stroke-linecap="round" fill="none" opacity=".55"/>',
    upperBeak,
    '<path d="M165 56c9 1 18 0 25-2-5 6-15 9-24 9Z" fill="#c3c19c"/><path d="M160 41c3-1 6-1 8 1l-1 17c-3 1-6 1-8-1 2-5 2-12 1-17Z" fill="#26248a"/>',
    '<circle cx="148" cy="45" r="8.2" fill="#7a4dff" stroke="#c9b5ff" stroke-width="1.6"/><circle cx="149" cy="45" r="4.2" fill="#0b0622"/><circle cx="151" cy="42.6" r="1.6" fill="#fff"/>',
    carried === 'straw' &&
      `<path d="M158 63C182 57 218 46 258 27" stroke="#e8c872" stroke-width="3.4" stroke-linecap="round" fill="none"/>${upperBeak}`,
    carried !== null &&
      carried !== 'straw' &&
      `<g transform="translate(200 68) rotate(12) scale(1.15) translate(-24 -24)">${carried}</g>${upperBeak}`,
  ]
    .filter(Boolean)
    .join('');
}
