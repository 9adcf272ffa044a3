import { href, Link } from 'react-router';
import { HeroBower } from '#app/features/catalogue/site/hero-bower.tsx';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

export type Role = {
  slug: string;
  title: string;
  icon: string;
  hours: number;
  priceCents: number;
  /** When its first course can begin. */
  nextStart: string;
  courses: { title: string; icon: string }[];
};

/**
 * "I want to be a …": the quest line of the role that is chosen, as a trail to the bower. Radio buttons and styles do it
 * all: it works without scripts.
 */
export function Roles({ roles }: { roles: Role[] }) {
  return (
    <fieldset className="mt-6 flex flex-wrap content-start gap-2 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-x-12">
      <legend className="mb-4 font-display text-2xl font-bold">I want to be a …</legend>
      {roles.map((role, at) => (
        <div key={role.slug} className="group contents">
          <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control border border-satin-line px-3 font-semibold hover:border-on-satin-mute has-checked:border-straw has-checked:bg-satin-light has-focus-visible:outline-3 has-focus-visible:outline-straw">
            <input type="radio" name="role" value={role.slug} defaultChecked={at === 0} className="sr-only" />
            <Icon name={role.icon} className="size-6 shrink-0 text-sky max-sm:hidden" />
            {role.title}
          </label>
          <Trail role={role} />
        </div>
      ))}
    </fieldset>
  );
}

function Trail({ role: { slug, title, icon, hours, priceCents, nextStart, courses } }: { role: Role }) {
  return (
    <div className="order-last hidden w-full content-between gap-x-8 gap-y-6 group-has-checked:grid max-lg:pt-4 md:grid-cols-[minmax(0,1fr)_20rem] lg:col-start-2 lg:row-span-12 lg:row-start-1">
      <div>
        <h3 className="text-3xl">{title}</h3>
        <dl className="tabular mt-5 grid gap-x-6 gap-y-4 sm:grid-cols-3 md:grid-cols-1">
          <Fact label="In all">{`${courses.length} courses, ${hours} hours`}</Fact>
          <Fact label="Price, incl. GST">{formatMoney(priceCents)}</Fact>
          <Fact label="Next start">{nextStart}</Fact>
        </dl>
        <Link to={href('/quest-lines/:questLineId', { questLineId: slug })} className={`${button.straw} mt-6`}>
          See the way there
        </Link>
      </div>
      <div className="relative max-md:hidden">
        <HeroBower icon={icon} />
      </div>
      <div className="relative md:col-span-2">
        <Straw
          box="0 0 600 60"
          d={`M0 30${'q25-34 50 0t50 0'.repeat(6)}`}
          className="inset-x-0 top-0 h-16 w-full max-lg:hidden"
        />
        <Straw
          box="0 0 48 600"
          d={`M24 0${'q-16 25 0 50t0 50'.repeat(6)}`}
          className="top-6 left-0 h-[calc(100%-3rem)] w-12 max-[18rem]:hidden lg:hidden"
        />
        <ol className="relative grid gap-3 lg:auto-cols-fr lg:grid-flow-col">
          {courses.map((course) => (
            <li key={course.title} className="flex items-center gap-3 lg:flex-col lg:text-center lg:text-sm">
              <span className="flex size-12 shrink-0 items-center justify-center rounded-full border-2 border-straw bg-satin lg:size-16">
                <Icon name={course.icon} className="size-7 text-sky lg:size-9" />
              </span>
              <span className="min-w-0">
                <Unbroken text={course.title} />
              </span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

/** A path of straw behind the treasures. */
function Straw({ box, d, className }: { box: string; d: string; className: string }) {
  return (
    <svg aria-hidden="true" viewBox={box} preserveAspectRatio="none" className={`absolute ${className}`}>
      <path d={d} fill="none" className="stroke-straw" strokeWidth="4" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-on-satin-mute">{label}</dt>
      <dd className="font-display text-xl font-bold">{children}</dd>
    </div>
  );
}
