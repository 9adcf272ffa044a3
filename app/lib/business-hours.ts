import type { Day } from './dates.ts';

/** Business hours of the academy by weekday (0 is Sunday), Brisbane time; days that are missing are closed. */
export const businessHours = [
  { days: 'Mon-Fri', weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' },
  { days: 'Sat', weekdays: [6], from: '10:00', to: '16:00' },
] as const;

/** The hours of a day, public holidays not considered; null when the academy is closed on that weekday. */
export function businessHoursOn(day: Day): { from: string; to: string } | null {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return businessHours.find(({ weekdays }) => weekdays.some((one) => one === weekday)) ?? null;
}
