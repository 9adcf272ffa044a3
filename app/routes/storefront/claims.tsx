import { href, Link } from 'react-router';
import { claimsWithRecords } from '#app/features/catalogue/site/claims.ts';
import { shownPartners, wordmark } from '#app/features/catalogue/site/partner-wordmarks.tsx';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/claims';
import { priceProofs } from './price-proofs.server.ts';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const { texts, courses } = snapshot;
  return {
    claims: claimsWithRecords(texts.claims, ownFigures(snapshot)),
    partners: shownPartners(texts.partners).map(({ name, meaning }) => ({ name, meaning: meaning ?? null })),
    courses: courses.length,
    prices: priceProofs(snapshot, context.get(academyContext).clock.now()),
  };
}

/** The present counts of the site's own records. */
function ownFigures({ courses, instructors, certificationGroups }: Snapshot) {
  const certifications = certificationGroups.flatMap((group) => group.certifications);
  return {
    courses: courses.length,
    certifications: certifications.length,
    instructors: instructors.size,
    learners: courses.reduce((sum, { card }) => sum + card.learners, 0),
    passRates: certifications.map(({ passRate }) => passRate),
    ratings: courses.flatMap(({ card }) => (card.rating === null ? [] : [card.rating])),
  };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Figures and their sources',
    'Every figure this site gives about the academy: its source, its date, and what our own records show.',
  );

export default function Claims({ loaderData }: Route.ComponentProps) {
  const { claims, partners, courses, prices } = loaderData;
  return (
    <>
      <PageHead
        title="Figures and their sources"
        lead="Every figure this site gives about the academy, its source and its date. Next to it is what our records show, including where they disagree."
      />
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-14 py-12 lg:py-16">
        {claims.length > 0 && (
          <ul aria-label="Figures" className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
            {claims.map(({ id, value, wording, source, asOf, records }) => (
              <li key={id} id={id} className="border-l-4 border-straw pl-4">
                <h2 className="text-xl">
                  <span className="tabular">{value}</span> {wording}
                </h2>
                <p className="mt-1 text-sm text-mute">
                  Source: {source}. As of {asOf}.
                </p>
                {records.map((record) => (
                  <p key={record} className="mt-2 max-w-prose">
                    {record}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )}
        <div className="grid gap-x-10 gap-y-14 lg:grid-cols-2">
          <section>
            <h2 className="text-3xl">Learners, ratings and pass rates</h2>
            <p className="mt-4 max-w-prose">
              Each course shows its learners and rating, if it has any. Each certification shows a pass rate. They come
              from the academy brief, 2025, and do not change automatically. HOT and Popular Choice follow these learner
              figures. The brief does not say whose results a pass rate counts.
            </p>
          </section>
          <PriceProofs prices={prices} courses={courses} />
        </div>
        {partners.length > 0 && (
          <section>
            <h2 className="text-3xl">Authorized partners</h2>
            <p className="mt-4 max-w-prose">The names come from the academy brief, 2025.</p>
            <dl className="mt-6 grid gap-5 sm:grid-cols-2 xl:grid-cols-4">
              {partners.map(({ name, meaning }, at) => (
                <div key={name} className="rounded-card border border-line bg-card p-5">
                  <dt className="flex h-8 items-center">
                    <span className={wordmark(at)}>{name}</span>
                  </dt>
                  <dd className="mt-3 text-mute">
                    {meaning ?? 'What the partnership covers is not confirmed on this site.'}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        <p className="max-w-prose text-mute">
          Is something here wrong?{' '}
          <Link to={`${href('/contact')}?interest=other`} className="font-bold text-link underline underline-offset-4">
            Tell us
          </Link>
          , and we correct it.
        </p>
      </div>
    </>
  );
}

type Props = { prices: ReturnType<typeof priceProofs>; courses: number };

/** The proof of each price that is struck through, and of each saving. */
function PriceProofs({ prices: { ofBrief, proved, combos }, courses }: Props) {
  return (
    <section id="prices">
      <h2 className="text-3xl">Prices and savings</h2>
      {ofBrief + proved.length > 0 && (
        <p className="mt-4 max-w-prose">
          {ofBrief + proved.length} of {courses} courses show an original price, struck through.
          {ofBrief > 0 &&
            ` ${ofBrief} of these prices come from the academy brief, 2025. We have no record that they were charged, so we state no saving from them.`}
        </p>
      )}
      {proved.length > 0 && (
        <ul aria-label="Original prices and their proof" className="mt-4 grid max-w-prose gap-2">
          {proved.map(({ slug, title, original, proof }) => (
            <li key={slug}>
              <Link
                to={href('/course/:courseId', { courseId: slug })}
                className="font-bold text-link underline underline-offset-4"
              >
                {title}
              </Link>
              , <span className="tabular">{original}</span>. {proof}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4 max-w-prose">
        A combo’s saving is measured against today’s prices of its courses, bought one by one. These prices do not rise
        while the promotion runs.
      </p>
      {combos.length > 0 && (
        <ul aria-label="Combos and their savings" className="tabular mt-4 grid max-w-prose gap-3">
          {combos.map(({ slug, title, courses: apart, text, since }) => (
            <li key={slug}>
              <b>{title}</b>: {text}.
              <span className="block text-sm text-mute">
                {apart}. These are our prices since {since}.
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
