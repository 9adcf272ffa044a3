import { Pill } from '#app/ui/staff/parts.tsx';

/** The audience of a bower, in a word. */
export function BowerPill({ isPublic, hidden }: { isPublic: boolean; hidden: boolean }) {
  if (hidden) return <Pill look="alarm">Hidden</Pill>;
  return isPublic ? <Pill look="calm">Public</Pill> : <Pill look="over">Private</Pill>;
}
