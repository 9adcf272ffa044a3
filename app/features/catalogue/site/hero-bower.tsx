import { href } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';

type Props = {
  /** The treasure in its light. */
  icon: string;
  /** What the treasure is; decoration without it. */
  label?: string;
  /** For somebody who arrives at the site it builds itself; it stands still under reduced motion (`root.tsx`, app.css). */
  builds?: boolean;
};

/** The bower with a treasure in its light. It fills a box that is relative. */
export function HeroBower({ icon, label, builds = false }: Props) {
  const still = href('/art/:file', { file: 'bower.svg' });
  const src = builds ? href('/art/:file', { file: 'bower-builds.svg' }) : still;
  return (
    <>
      <picture>
        {builds && <source media="(prefers-reduced-motion: reduce)" srcSet={still} />}
        <img src={src} alt="" width={640} height={560} className={`h-auto w-full${builds ? ' bower-builds' : ''}`} />
      </picture>
      <Icon
        name={icon}
        label={label}
        className="absolute top-[47%] left-1/2 w-[21%] -translate-x-1/2 -rotate-6 text-[#7fa2ff] drop-shadow-[0_10px_24px_#2e4be6aa] [--icon-ink:#120c36]"
      />
    </>
  );
}
