import { memo } from 'react';
import { href, Link } from 'react-router';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { useFade } from '#app/ui/fade-to.ts';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { Badges } from './badges.tsx';
import type { CourseCard } from './catalogue.ts';
import { waysOf, waysText } from './ways.ts';

/** One step back from the course the list lies (`back-to-list.ts`). */
const fromList = { toList: 1 };

type Props = { card: CourseCard; onDates: boolean; eager: boolean };

/**
 * One course in a list. The whole card leads to the course; its one link is START QUEST. On a phone it is a short card
 * with a thumbnail (`course-card` in app.css places the parts), from tablet width on a tall one under its drawing.
 */
export const CourseCardItem = memo(function CourseCardItem({ card, onDates, eager }: Props) {
  const ways = waysText(waysOf(card, onDates));
  const fade = useFade(fromList);
  return (
    <article className="course-card group relative h-full rounded-card border border-line bg-card transition-transform focus-within:border-edge hover:-translate-y-0.5 hover:border-edge">
      <div className="course-card-art relative overflow-hidden max-md:rounded-[10px] md:rounded-t-[19px]">
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${card.slug}.svg` })}
          alt=""
          width={400}
          height={225}
          loading={eager ? 'eager' : 'lazy'}
          className="h-full w-full object-cover max-md:absolute max-md:inset-0 md:aspect-video"
        />
      </div>
      <Badges
        card={card}
        className="absolute max-md:-top-2.5 max-md:right-3 max-md:justify-end md:inset-x-3 md:top-3 md:pr-14"
      />
      <p className="course-card-level flex items-center justify-center gap-0.5 bg-card text-[0.6875rem] font-bold md:gap-1.5 md:rounded-full md:border md:border-line md:py-1 md:pr-3 md:pl-2 md:text-sm">
        <Medal tier={card.tier} />
        {card.level}
      </p>
      <p className="course-card-category text-sm font-bold text-link max-md:leading-tight">{card.category.name}</p>
      <h3 className="course-card-title text-lg leading-[1.12] max-md:line-clamp-2 md:mt-1 md:text-[1.375rem] md:leading-[1.08]">
        <Unbroken text={card.title} />
      </h3>
      <p className="course-card-text text-sm text-mute max-md:line-clamp-2 max-md:leading-[1.3] md:mt-2 md:text-[0.9375rem]">
        {/* A line of its own would make a phone's list of cards much longer. */}
        <b className="text-ink md:hidden">{ways}. </b>
        <Unbroken text={card.description} />
      </p>
      <ul className="course-card-facts tabular flex flex-wrap gap-x-2.5 text-[0.8125rem] font-semibold text-mute max-md:leading-tight md:gap-x-4 md:gap-y-1 md:text-sm">
        {card.rating === null ? (
          <li>Not rated yet</li>
        ) : (
          <li>
            <span aria-hidden="true">★ </span>
            <span className="sr-only">Rating </span>
            {card.rating.toFixed(1)}
          </li>
        )}
        <li>{card.hours} hours</li>
        {card.learners > 0 && <li>{formatCount(card.learners)} players</li>}
        <li className="basis-full max-md:hidden">
          <span className="sr-only">How to take it: </span>
          {ways}
        </li>
      </ul>
      <div className="course-card-xp tabular flex flex-wrap items-center gap-x-2 text-xs text-mute md:justify-between md:text-sm">
        <span>
          <b className="text-xp">{formatCount(card.xp)} XP</b>
          <span className="max-md:sr-only"> to earn</span>
        </span>
        <progress
          className="xp-bar min-w-6 grow basis-6 max-md:h-[5px]! md:order-last md:mt-1.5 md:basis-full"
          max={100}
          value={0}
          aria-label={`Your progress in ${card.title}`}
        />
        <span>0% Not started</span>
      </div>
      <p className="course-card-price tabular font-display text-lg leading-tight font-bold md:text-[1.375rem]">
        {formatMoney(card.priceCents)}
        {card.originalPriceCents !== null && (
          <>
            {' '}
            <span className="sr-only">, originally </span>
            <s className="font-sans text-sm font-medium text-mute">{formatMoney(card.originalPriceCents)}</s>
          </>
        )}
      </p>
      <Link
        to={href('/course/:courseId', { courseId: card.slug })}
        prefetch="intent"
        onClick={fade}
        aria-label={`START QUEST: ${card.title}`}
        className={`course-card-start ${button.primary} px-3 py-2 text-[0.8125rem] tracking-wide after:absolute after:inset-0 after:rounded-card max-md:min-h-10 md:px-4 md:text-sm`}
      >
        START QUEST
      </Link>
    </article>
  );
});
