/** Compares by code unit: the same order on every machine, and the right one for ISO days. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
