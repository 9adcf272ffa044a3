import { href, Link } from 'react-router';
import { CourseLink } from '#app/features/catalogue/course-links.tsx';
import { currentBanner } from '#app/features/catalogue/promotions/banner.server.ts';
import { comboPrice } from '#app/features/catalogue/promotions/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { formatMoney } from '#app/lib/money.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/combos';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const banner = currentBanner(snapshot, context.get(academyContext).clock);
  return {
    promotion: banner && { text: banner.text, endsText: banner.endsText },
    combos: snapshot.combos.map((combo) => ({ ...combo, ...comboPrice(combo, banner !== null) })),
  };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Career Booster Combos',
    at.loaderData?.promotion
      ? 'Two or three courses that belong together, at a lower price while the promotion runs.'
      : 'Two or three courses that belong together, each taken the way you choose, at the sum of their prices.',
  );

export default function Combos({ loaderData: { promotion, combos } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Career Booster Combos"
        lead={
          promotion
            ? `Two or three courses that belong together, ${promotion.text.replace(' on Career Booster Combos', '')} until ${promotion.endsText}. After that each combo costs the sum of its courses. You choose for each course how you take it.`
            : 'Two or three courses that belong together. The promotion is over: each combo costs the sum of its courses. You choose for each course how you take it.'
        }
      />
      <ul className="page grid gap-6 py-12 lg:grid-cols-2 lg:py-16">
        {combos.map((combo) => (
          <li key={combo.slug}>
            <article className="flex h-full flex-col rounded-card border border-line bg-card p-5 sm:p-7">
              <div className="flex flex-wrap items-start justify-between gap-3">
                <h2 className="text-2xl">{combo.title}</h2>
                {combo.savingCents > 0 && (
                  <p className="rounded-lg bg-straw px-2.5 py-1 text-sm font-extrabold text-on-straw">
                    {combo.discountPercent}% off
                  </p>
                )}
              </div>
              <p className="mt-2 text-mute">{combo.description}</p>
              <ol className="mt-5 mb-6 grid gap-2">
                {combo.courses.map((course) => (
                  <li key={course.slug} className="tabular flex justify-between gap-4 border-b border-line pb-2">
                    <CourseLink course={course} />
                    <span className="shrink-0">{formatMoney(course.priceCents)}</span>
                  </li>
                ))}
              </ol>
              <div className="mt-auto flex flex-wrap items-end justify-between gap-4">
                <p className="tabular">
                  <span className="font-display text-[min(2rem,14vw)] leading-tight font-bold">
                    {formatMoney(combo.priceCents)}
                  </span>{' '}
                  {combo.savingCents > 0 && (
                    <>
                      <span className="sr-only">instead of</span>{' '}
                      <s className="text-mute">{formatMoney(combo.sumCents)}</s>{' '}
                    </>
                  )}
                  <span className="text-sm text-mute">incl. GST</span>
                  {combo.savingCents > 0 && (
                    <span className="block text-sm text-mute">You save {formatMoney(combo.savingCents)}.</span>
                  )}
                </p>
                <Link
                  to={`${href('/enrol')}?combo=${combo.slug}`}
                  aria-label={`Enroll Now: ${combo.title}`}
                  className={button.primary}
                >
                  Enroll Now
                </Link>
                <Link
                  to={`${href('/quote')}?combo=${combo.slug}`}
                  aria-label={`Get a quote: ${combo.title}`}
                  className="inline-block py-1 font-bold text-link underline underline-offset-4"
                >
                  Get a quote
                </Link>
                <Link
                  to={`${href('/ask-employer')}?combo=${combo.slug}`}
                  aria-label={`Ask your employer: ${combo.title}`}
                  className="inline-block py-1 font-bold text-link underline underline-offset-4"
                >
                  Ask your employer
                </Link>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </>
  );
}
