import { Link } from 'react-router';
import { stepPath } from '#app/features/enrolling/steps.ts';
import type { ReviewSection } from './reviewed-rows.ts';

/** One part of the draft, with a link to its step. */
export function Reviewed({ section: { title, step, rows }, token }: { section: ReviewSection; token: string }) {
  return (
    <section className="min-w-0">
      <h3 className="flex items-baseline justify-between gap-3 font-sans text-[0.9375rem] font-semibold tracking-normal text-mute md:justify-start">
        {title}
        <Link
          to={stepPath(token, step)}
          aria-label={`Change: ${title}`}
          className="inline-block py-1 font-bold text-link underline underline-offset-4"
        >
          Change
        </Link>
      </h3>
      <dl className="tabular grid gap-0.5 text-[0.9375rem]">
        {rows.map(({ name, value, plain }, at) => (
          <div key={name}>
            <dt className={plain ? 'sr-only' : value.includes('\n') ? 'font-semibold' : 'inline text-mute'}>{name}</dt>{' '}
            <dd
              className={`inline-block whitespace-pre-line wrap-anywhere ${plain && (at === 0 || name.startsWith('Person')) ? 'first-line:font-semibold' : ''}`}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
