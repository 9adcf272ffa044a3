/** `count` upright straws in a row: a share drawn as a bundle. Decoration: the number is beside it. */
export function Straws({ count }: { count: number }) {
  const width = count * pitch;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} 18`} className="block h-4.5 max-w-full" width={width} height={18}>
      <path d={`M1 9H${width}`} className="stroke-edge" strokeWidth="16" strokeDasharray={`4 ${pitch - 4}`} />
      <path d={`M1.5 9H${width}`} className="stroke-straw" strokeWidth="15" strokeDasharray={`3 ${pitch - 3}`} />
    </svg>
  );
}

/** From one straw to the next, in pixels. */
const pitch = 9;
