import type { CourseCard } from './catalogue.ts';

/** HOT, NEW and Popular Choice, as far as the course has earned them (P5). */
export function Badges({ card, onCard }: { card: CourseCard; onCard?: boolean }) {
  if (!card.isHot && !card.isNew && !card.isPopular) return null;
  return (
    <ul className={onCard ? 'badges badges-on-card' : 'badges'}>
      {card.isHot && <li className="bg-hot text-on-hot">HOT</li>}
      {card.isNew && <li className="bg-new text-on-new">NEW</li>}
      {card.isPopular && <li className="bg-straw text-on-straw">Popular Choice</li>}
    </ul>
  );
}
