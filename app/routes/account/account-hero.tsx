import { href, Link } from 'react-router';
import { formatCount } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import type { NextClass } from './next-class.ts';

const quietLink = 'inline-flex min-h-11 items-center font-bold underline underline-offset-4';

type Props = {
  name: string | null;
  /** Nothing was bought and nothing is attended yet. */
  isNew: boolean;
  next: NextClass | null;
  bower: { straws: string; treasures: string; sentence: string };
  xp: number;
};

/** What comes next, beside the bower. A new player reads one sentence and finds the courses. */
export function AccountHero({ name, isNew, next, bower, xp }: Props) {
  const art = href('/account/bower/:file', { file: 'tall.svg' });
  return (
    <div className="on-satin overflow-hidden bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <div className="page grid items-center gap-x-12 gap-y-8 py-10 md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0">
          {next ? <Next next={next} /> : <Nothing name={name} isNew={isNew} bower={bower} xp={xp} />}
        </div>
        <Link to={href('/account/bower')} className="mx-auto block rounded-card">
          <img
            src={art}
            alt={`Your bower. ${bower.sentence}`}
            width={375}
            height={470}
            className="h-auto max-h-80 w-auto md:max-h-none"
          />
        </Link>
      </div>
    </div>
  );
}

function Next({ next }: { next: NextClass }) {
  const { soon, when, what, where, until, bring, join, map, cannotCome, calendar, page } = next;
  const facts = [['Where', where], ['Until', until], ...(bring ? [['Bring', bring]] : [])] as const;
  return (
    <>
      <p className="font-bold text-straw">Next, {soon.toLowerCase()}</p>
      <h1 className="mt-2 text-4xl text-balance lg:text-5xl">{when}</h1>
      <p className="mt-3 text-lg text-balance lg:text-xl">{what}</p>
      <dl className="mt-6 flex flex-wrap gap-x-10 gap-y-3">
        {facts.map(([label, value]) => (
          <div key={label} className="max-w-80">
            <dt className="text-sm text-on-satin-mute">{label}</dt>
            <dd className="font-bold wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
        {join ? (
          <a href={join} rel="noreferrer" className={button.straw}>
            Join the class
          </a>
        ) : (
          <Link to={page} className={button.straw}>
            Your place
          </Link>
        )}
        <a href={calendar} download className={button.onSatin}>
          Add to calendar
        </a>
        {map && (
          <a href={map} rel="noreferrer" className={quietLink}>
            Map
          </a>
        )}
        {cannotCome && (
          <Link to={cannotCome} className={quietLink}>
            I can’t come
          </Link>
        )}
      </div>
    </>
  );
}

function Nothing({ name, isNew, bower, xp }: Omit<Props, 'next'>) {
  return (
    <>
      {isNew ? (
        <>
          {name && <p className="font-bold wrap-anywhere text-straw">Hello, {name}</p>}
          <h1 className="mt-2 text-4xl text-balance lg:text-5xl">Your first course starts your bower</h1>
          <p className="mt-4 max-w-prose text-lg">
            Each hour you study adds a straw. Each course you finish leaves a treasure. What you buy or attend with your
            email address is listed here.
          </p>
          <Link to={href('/courses')} reloadDocument className={`${button.straw} mt-8`}>
            See all courses
          </Link>
        </>
      ) : (
        <>
          <h1 className="text-4xl text-balance wrap-anywhere lg:text-5xl">
            {name ? `Hello, ${name}` : 'Your account'}
          </h1>
          <p className="mt-4 max-w-prose text-lg text-on-satin-mute">No class of yours has a date ahead.</p>
          <p className="mt-4 font-display text-2xl font-bold">
            {[bower.straws, bower.treasures, `${formatCount(xp)} XP`]
              .map((one) => one.replaceAll(' ', '\u00a0'))
              .join(', ')}
          </p>
        </>
      )}
    </>
  );
}
