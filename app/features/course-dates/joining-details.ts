import type { Delivery } from '#app/lib/delivery.ts';

/** How one gets into a course date: where the room is, and the link to the live class. Null until it is set. */
export type JoiningDetails = {
  /** Within the building, such as `Level 4, Room 4.2`. */
  room: string | null;
  street: string | null;
  /** For people of the course date only: never on a public page, in a feed or in a log. */
  joiningLink: string | null;
};

/** The joining details that a course date needs, by its delivery (P39). */
export function joiningDetailsNeeded(delivery: Delivery): readonly (keyof JoiningDetails)[] {
  if (delivery === 'online') return ['joiningLink'];
  return delivery === 'in-person' ? ['room', 'street'] : ['room', 'street', 'joiningLink'];
}

/** A map of the street of a class; null online, and until the street is set. */
export function mapOf({ street, venue }: { street: string | null; venue: string | null }): string | null {
  if (street === null || venue === null) return null;
  return `https://www.openstreetmap.org/search?${new URLSearchParams({ query: `${street}, ${venue}, Australia` })}`;
}

const names: Record<keyof JoiningDetails, string> = { room: 'room', street: 'street', joiningLink: 'link' };

/** The missing joining details in words: `room and street`; '' when none is missing. */
export function missingJoiningDetails(courseDate: JoiningDetails & { delivery: Delivery }): string {
  const missing = joiningDetailsNeeded(courseDate.delivery).filter((part) => courseDate[part] === null);
  const words = missing.map((part) => names[part]);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
