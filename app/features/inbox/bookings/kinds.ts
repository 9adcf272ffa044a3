/**
 * The kinds of bookings (P20), by their names in addresses and settings. Titles and actions are the specification's
 * texts.
 */
export const bookingKinds = {
  'career-counseling': { title: 'Career Counseling', action: 'Book a Session' },
  'virtual-tour': { title: 'Virtual Tour', action: 'Schedule Tour' },
} as const;
export type BookingKind = keyof typeof bookingKinds;

/** The kind an address names, null for one we do not have, `constructor` included. */
export function bookingKindOf(name: string): BookingKind | null {
  return Object.hasOwn(bookingKinds, name) ? (name as BookingKind) : null;
}
