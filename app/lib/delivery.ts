/** How a training session is taught. `both` lets each attendee choose between online and the room. */
export const deliveries = ['online', 'in-person', 'both'] as const;
export type Delivery = (typeof deliveries)[number];

/** The specification's wordings: `Online`, `Online/In-Person`, `In-Person Sydney`. `venue` is the city of the room. */
export function deliveryText({ delivery, venue }: { delivery: Delivery; venue: string | null }): string {
  if (delivery === 'online') return 'Online';
  // The specification's "Online/In-Person" means the academy's own rooms in Brisbane.
  if (delivery === 'both') return venue === 'Brisbane' ? 'Online/In-Person' : `Online/In-Person ${venue}`;
  return `In-Person ${venue}`;
}

/** How and where for staff, on each of their pages: `Online`, `Online/Melbourne`, `Brisbane`. Files keep the wording above. */
export function taughtText({ delivery, venue }: { delivery: Delivery; venue: string | null }): string {
  if (delivery === 'online' || venue === null) return 'Online';
  return delivery === 'both' ? `Online/${venue}` : venue;
}

/** The same wording as used in addresses: `online-in-person`, `in-person-sydney`. */
export function deliverySlug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
