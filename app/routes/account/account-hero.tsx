import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import type { NextClass } from './next-class.ts';
import { WithoutClass, type WithoutClassProps } from './without-class.tsx';

const quietLink = 'inline-flex min-h-11 items-center font-bold underline underline-offset-4';

type Props = WithoutClassProps & { next: NextClass | null; bower: { sentence: string } };

/** The next class or task, beside the bower. */
export function AccountHero({ next, bower, ...without }: Props) {
  const art = href('/account/bower/:file', { file: 'tall.svg' });
  return (
    <div className="on-satin overflow-hidden bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <div className="page grid items-center gap-x-12 gap-y-8 py-10 md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0">{next ? <Next next={next} /> : <WithoutClass {...without} />}</div>
        <Link to={href('/account/bower')} className="mx-auto block rounded-card">
          <picture>
            <source media="(prefers-reduced-motion: no-preference)" srcSet={`${art}?falls`} />
            <img
              src={art}
              alt={`Your bower. ${bower.sentence}`}
              width={375}
              height={470}
              className="h-80 w-auto md:h-auto md:w-94"
            />
          </picture>
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
