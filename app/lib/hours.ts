/** Minutes as `24 h 55 min`, or `24 h`. */
export function hoursAndMinutes(minutes: number): string {
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
