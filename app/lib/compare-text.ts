/** Code unit order: the same on every machine, and the one that ISO days sort by. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
