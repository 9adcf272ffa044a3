import { type IconName, iconMarkup } from '#app/ui/icons.ts';

/** A slide's treasure in the light of the bower; the specification's emoji stands in its label. */
export function SlideIcon({ name, label }: { name: IconName; label: string }) {
  return (
    <svg
      viewBox="0 0 48 48"
      role="img"
      aria-label={label}
      className="absolute top-[47%] left-1/2 w-[21%] -translate-x-1/2 -rotate-6 drop-shadow-[0_10px_24px_#2e4be6aa]"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is our own constant
      dangerouslySetInnerHTML={{ __html: iconMarkup(name, { body: '#7fa2ff', ink: '#120c36' }) }}
    />
  );
}
