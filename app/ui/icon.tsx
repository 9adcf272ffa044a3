import { type IconName, iconMarkup } from './icons.ts';

/** One icon as a small picture in the colour of the text. Decoration: what it means stands beside it. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 48 48"
      className={className}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is our own constant
      dangerouslySetInnerHTML={{ __html: iconMarkup(name, { body: 'currentColor', ink: 'var(--card)' }) }}
    />
  );
}
