import { memo } from 'react';
import { href, Link } from 'react-router';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { Badges } from './badges.tsx';
import type { CourseCard } from './catalogue.ts';
import { waysOf, waysText } from './ways.ts';

/** The list is one step back from the course (`back-to-list.ts`). */
const fromList = { toList: 1 };

type Props = { card: CourseCard; nextDate: string | null; eager: boolean };

/**
 * One course in a list. The whole card leads to the course; its one link is START QUEST. On a phone it is a short card
 * with a thumbnail, from tablet width a tall one under its drawing. Its styles are in app.css, because a list repeats
 * them.
 */
export const CourseCardItem = memo(function CourseCardItem({ card, nextDate, eager }: Props) {
  const ways = waysText(waysOf(card, nextDate !== null), nextDate);
  return (
    <article className="course-card">
      <div className="course-card-art">
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${card.slug}.svg` })}
          alt=""
          width={400}
          height={225}
          loading={eager ? 'eager' : 'lazy'}
        />
      </div>
      <Badges card={card} onCard />
      <p className="course-card-level">
        <Medal tier={card.tier} />
        {card.level}
      </p>
      <p className="course-card-category">{card.category.name}</p>
      <h3 className="course-card-title">
        <Unbroken text={card.title} />
      </h3>
      <p className="course-card-text">
        {/* A line of its own would make a phone's list of cards much longer. */}
        <b className="text-ink md:hidden">{`${ways}. `}</b>
        <Unbroken text={card.description} />
      </p>
      <ul className="course-card-facts">
        {card.rating === null ? (
          <li>Not rated yet</li>
        ) : (
          <li>
            <span aria-hidden="true">★ </span>
            <span className="sr-only">Rating </span>
            {card.rating.toFixed(1)}
          </li>
        )}
        <li>{`${card.hours} hours`}</li>
        {card.learners > 0 && <li>{`${formatCount(card.learners)} players`}</li>}
        <li className="basis-full max-md:hidden">
          <span className="sr-only">How to take it: </span>
          {ways}
        </li>
      </ul>
      <div className="course-card-xp">
        <span>
          <b className="text-xp">{`${formatCount(card.xp)} XP`}</b>
          <span className="max-md:sr-only"> to earn</span>
        </span>
        <progress className="xp-bar" max={100} value={0} aria-label={`Your progress in ${card.title}`} />
        <span>0% Not started</span>
      </div>
      <p className="course-card-price">
        {formatMoney(card.priceCents)}
        {card.originalPriceCents !== null && (
          <>
            {' '}
            <span className="sr-only">, originally </span>
            <s>{formatMoney(card.originalPriceCents)}</s>
          </>
        )}
      </p>
      <Link
        to={href('/course/:courseId', { courseId: card.slug })}
        prefetch="intent"
        state={fromList}
        viewTransition
        aria-label={`START QUEST: ${card.title}`}
        className="course-card-start"
      >
        START QUEST
      </Link>
    </article>
  );
});
