import { Icon } from '#app/ui/icon.tsx';

/** A slide's treasure in the light of the bower; the specification's emoji is in its label. */
export function SlideIcon({ name, label }: { name: string; label: string }) {
  return (
    <Icon
      name={name}
      label={label}
      className="absolute top-[47%] left-1/2 w-[21%] -translate-x-1/2 -rotate-6 text-[#7fa2ff] drop-shadow-[0_10px_24px_#2e4be6aa] [--icon-ink:#120c36]"
    />
  );
}
