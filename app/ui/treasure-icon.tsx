import { type Treasure, treasureMarkup } from './treasures.ts';

/** One treasure as a small picture in the colour of the text. Decoration: what it means stands beside it. */
export function TreasureIcon({ name, className }: { name: Treasure; className?: string }) {
  return (
    <svg
      viewBox="0 0 48 48"
      className={className}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is our own constant
      dangerouslySetInnerHTML={{ __html: treasureMarkup(name, { body: 'currentColor', ink: 'var(--card)' }) }}
    />
  );
}
