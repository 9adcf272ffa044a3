import { href, Link } from 'react-router';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { Badges } from './badges.tsx';
import type { CourseCard } from './catalogue.ts';

/** One course in a list. The whole card leads to the course; its one link is START QUEST. */
export function CourseCardItem({ card, eager }: { card: CourseCard; eager: boolean }) {
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-card transition-transform focus-within:border-edge hover:-translate-y-0.5 hover:border-edge">
      <div className="relative">
        <img
          src={href('/art/:file', { file: `${card.icon}.svg` })}
          alt=""
          width={400}
          height={225}
          loading={eager ? 'eager' : 'lazy'}
          className="aspect-video w-full object-cover"
        />
        <Badges card={card} className="absolute top-3 right-3 justify-end" />
        <p className="absolute -bottom-3.5 left-4 flex items-center gap-1.5 rounded-full border border-line bg-card py-1 pr-3 pl-2 text-sm font-bold">
          <Medal tier={card.tier} />
          {card.level}
        </p>
      </div>
      <div className="flex grow flex-col px-5 pt-7 pb-5">
        <p className="text-sm font-bold text-link">{card.category.name}</p>
        <h3 className="mt-1 text-[1.375rem]">
          <Unbroken text={card.title} />
        </h3>
        <p className="mt-2 text-[0.9375rem] text-mute">
          <Unbroken text={card.description} />
        </p>
        <div className="mt-auto pt-4">
          <ul className="tabular flex flex-wrap gap-x-4 gap-y-1 text-sm font-semibold text-mute">
            <li>
              <span aria-hidden="true">★ </span>
              <span className="sr-only">Rating </span>
              {card.rating.toFixed(1)}
            </li>
            <li>{card.hours} hours</li>
            <li>{card.learners.toLocaleString('en-AU')} players</li>
          </ul>
          <p className="tabular mt-3 flex justify-between gap-3 text-sm text-mute">
            <span>
              <b className="text-xp">{card.xp.toLocaleString('en-AU')} XP</b> to earn
            </span>
            <span>0% Not started</span>
          </p>
          <progress className="xp-bar mt-1.5" max={100} value={0} aria-label={`Your progress in ${card.title}`} />
          <div className="mt-4.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
            <p className="tabular font-display text-[1.375rem] leading-tight font-bold">
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
              viewTransition
              aria-label={`START QUEST: ${card.title}`}
              className={`${button.primary} px-4 text-sm tracking-wide after:absolute after:inset-0 after:rounded-card`}
            >
              START QUEST
            </Link>
          </div>
        </div>
      </div>
    </article>
  );
}
