import type { CourseCard } from './catalogue.ts';

const badge = 'rounded-lg px-2 py-1 text-xs leading-none font-extrabold tracking-wide md:px-2.5';

/** HOT, NEW and Popular Choice, as far as the course has earned them (P5). */
export function Badges({ card, className = '' }: { card: CourseCard; className?: string }) {
  if (!card.isHot && !card.isNew && !card.isPopular) return null;
  return (
    <ul className={`flex flex-wrap gap-1.5 ${className}`}>
      {card.isHot && <li className={`${badge} bg-hot text-on-hot`}>HOT</li>}
      {card.isNew && <li className={`${badge} bg-new text-on-new`}>NEW</li>}
      {card.isPopular && <li className={`${badge} bg-straw text-on-straw`}>Popular Choice</li>}
    </ul>
  );
}
