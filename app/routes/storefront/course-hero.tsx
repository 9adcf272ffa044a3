import { href, Link } from 'react-router';
import { useBackToList } from '#app/features/catalogue/back-to-list.ts';
import { Badges } from '#app/features/catalogue/badges.tsx';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { Price } from '#app/features/catalogue/price.tsx';
import { xpPerHour } from '#app/features/catalogue/rules.ts';
import { formatCount } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Fact } from '#app/ui/fact.tsx';
import { Medal } from '#app/ui/medal.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

/** The head of a course's page: its facts, its price and the button to enrol. */
export function CourseHero({ card }: { card: CourseCard }) {
  const backToList = useBackToList();
  return (
    <div className="on-satin bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <div className="page grid items-center gap-10 py-10 lg:grid-cols-[1.15fr_0.85fr] lg:py-16">
        <div>
          <Link
            to={href('/')}
            onClick={backToList}
            className="no-print -ml-1 inline-flex items-center gap-1.5 rounded-lg px-1 py-2 font-medium text-on-satin-mute hover:text-on-satin"
          >
            <Sign name="back" className="size-4" />
            Back to Courses
          </Link>
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <Link
              to={`${href('/courses')}?category=${card.category.slug}`}
              className="font-bold text-straw underline-offset-4 hover:underline"
            >
              {card.category.name}
            </Link>
            <span className="flex items-center gap-1.5 rounded-full border border-satin-line bg-satin-light py-1 pr-3 pl-2 text-sm font-bold">
              <Medal tier={card.tier} />
              {card.level}
            </span>
            <Badges card={card} />
          </div>
          <h1 className="mt-4 text-4xl sm:text-5xl lg:text-[3.5rem]">
            <Unbroken text={card.title} />
          </h1>
          <p className="mt-5 max-w-prose text-lg text-on-satin-mute">{card.description}</p>
          <dl className="mt-7 flex flex-wrap gap-x-9 gap-y-4">
            <Fact label="Duration">{card.hours} hours</Fact>
            <Fact
              label="Players"
              note="Learners who have taken this course: the academy’s own figure of 2025, see Figures and sources."
            >
              {card.learners === 0 ? 'None yet' : formatCount(card.learners)}
            </Fact>
            <Fact label="Rating">
              {card.rating === null ? (
                'None yet'
              ) : (
                <>
                  <span aria-hidden="true">★ </span>
                  {card.rating.toFixed(1)} / 5
                </>
              )}
            </Fact>
            <Fact
              label="XP to earn"
              note={`${card.hours} hours at ${xpPerHour[card.level]} XP an hour for ${card.level}, rounded to 50, from 1,000 to 5,999.`}
            >
              {formatCount(card.xp)}
            </Fact>
          </dl>
          <div className="mt-8 flex flex-wrap items-center gap-x-7 gap-y-4">
            <Price card={card} onSatin />
            <Link to={`${href('/enrol')}?course=${card.slug}`} className={`${button.straw} no-print px-7`}>
              Enroll Now
            </Link>
          </div>
        </div>
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${card.slug}.svg` })}
          alt=""
          width={400}
          height={225}
          className="no-print aspect-video w-full rounded-card border border-satin-line object-cover"
        />
      </div>
    </div>
  );
}
