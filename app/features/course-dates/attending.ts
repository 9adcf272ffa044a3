import type { Content } from '#app/features/content/schema.ts';
import type { Delivery } from '#app/lib/delivery.ts';

/** Texts of how one joins a course date and what to bring, by where one takes part. */
export type Attending = NonNullable<Content['site']['attending']>;

type WayToAttend = { where: 'Online' | 'In the room'; joining: string; bring: readonly string[] };

/** How to join and what to bring, for each place in which one can take part; nothing while the content has no texts. */
export function attendingOf({ delivery }: { delivery: Delivery }, texts: Attending | null): WayToAttend[] {
  if (!texts) return [];
  const online: WayToAttend = { where: 'Online', ...texts.online };
  const room: WayToAttend = { where: 'In the room', ...texts.room };
  if (delivery === 'both') return [online, room];
  return [delivery === 'online' ? online : room];
}
