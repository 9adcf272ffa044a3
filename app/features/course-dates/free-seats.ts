/** The free seats of a course date in words: `1 left, 2 reserved for the waiting list`, or `full` (P48). */
export function freeSeats({ left, reserved }: { left: number; reserved: number }): string {
  const kept = reserved > 0 ? `, ${reserved} reserved for the waiting list` : '';
  return `${left < 1 ? 'full' : `${left} left`}${kept}`;
}
