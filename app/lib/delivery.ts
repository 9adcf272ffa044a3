/** How a course date is taught. `both` lets each attendee choose between online and the room. */
export const deliveries = ['online', 'in-person', 'both'] as const;
export type Delivery = (typeof deliveries)[number];

/** How and where, always with the city of a room: `Online`, `Online/In-Person Brisbane`, `In-Person Sydney`. */
export function deliveryText({ delivery, venue }: { delivery: Delivery; venue: string | null }): string {
  if (delivery === 'online') return 'Online';
  return delivery === 'both' ? `Online/In-Person ${venue}` : `In-Person ${venue}`;
}

/** How and where for staff, on each of their pages: `Online`, `Online/Melbourne`, `Brisbane`. Files keep the wording above. */
export function taughtText({ delivery, venue }: { delivery: Delivery; venue: string | null }): string {
  if (delivery === 'online' || venue === null) return 'Online';
  return delivery === 'both' ? `Online/${venue}` : venue;
}

/**
 * The places to take part, as in addresses: `online`, `sydney`; both for a date with a room that is taught online too.
 */
export function placesOf({ delivery, venue }: { delivery: Delivery; venue: string | null }): string[] {
  return [...(delivery === 'in-person' ? [] : ['online']), ...(venue === null ? [] : [venue.toLowerCase()])];
}
