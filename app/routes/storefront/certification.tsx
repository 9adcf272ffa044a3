import { Fragment } from 'react';
import { data, href, Link } from 'react-router';
import type { Certification } from '#app/features/catalogue/catalogue.ts';
import { examWarning } from '#app/features/catalogue/exams.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { clockContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { certificationPicture } from '#app/seo/share-picture.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import { LabelledRow } from '#app/ui/labelled-row.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/certification';
import { NotFound } from './frame/not-found.tsx';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context, params }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const { certificationGroups, questLines } = snapshot;
  const all = certificationGroups.flatMap(({ certifications }) => certifications);
  const certification = all.find(({ slug }) => slug === params.certificationId);
  if (!certification) return data(null, { status: 404 });
  const leadHere = questLines.filter(({ certifications }) =>
    certifications.some(({ slug }) => slug === certification.slug),
  );
  return {
    certification,
    warning: examWarning(snapshot, certification.course.slug, academyToday(context.get(clockContext))),
    questLines: leadHere.map(({ slug, title, steps }) => ({ slug, title, steps: steps.length })),
  };
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no certification at this address.', noPage);
  const { certification } = at.loaderData;
  return pageMeta(at, `${certification.name} by ${certification.provider}`, certification.description, {
    machines: import.meta.env.SSR ? () => machines(certification) : undefined,
  });
};

function machines(certification: Certification) {
  const { slug, name } = certification;
  const trail = [
    { name: 'Certifications', path: href('/certifications') },
    { name, path: href('/certifications/:certificationId', { certificationId: slug }) },
  ];
  return {
    picture: {
      path: href('/share/:kind/:file', { kind: 'certification', file: `${slug}.png` }),
      picture: certificationPicture(certification),
    },
    data: (baseUrl: string) => graph(breadcrumbs(baseUrl, trail)),
  };
}

export default function CertificationPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { certification, questLines, warning } = loaderData;
  const { course } = certification;
  return (
    <article>
      <PageHead
        title={certification.name}
        lead={
          <>
            {certification.description}
            {warning && (
              <span className="block pt-3 font-bold text-on-satin">
                {warning.text}
                {warning.successors.map(({ slug, title }) => (
                  <Fragment key={slug}>
                    {' '}
                    <Link to={href('/course/:courseId', { courseId: slug })} className="underline underline-offset-4">
                      <Unbroken text={title} />
                    </Link>
                  </Fragment>
                ))}
              </span>
            )}
          </>
        }
      >
        <Link to={href('/course/:courseId', { courseId: course.slug })} className={button.straw}>
          Start Training
        </Link>
        <Link to={`${href('/contact')}?about=certification:${certification.slug}`} className={button.onSatin}>
          Speak to an Advisor
        </Link>
      </PageHead>
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-16">
        <div className="grid content-start gap-12">
          <section>
            <h2 className="text-3xl">What it is</h2>
            <p className="mt-4 max-w-prose text-lg">{certification.overview}</p>
          </section>
          <section>
            <h2 className="text-3xl">The exam</h2>
            <dl className="mt-5 max-w-2xl">
              {certification.exam.map(({ label, value }) => (
                <div key={label} className="grid gap-x-6 border-b border-line py-3 sm:grid-cols-[11rem_1fr]">
                  <dt className="font-bold">{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
          <section>
            <h2 className="text-3xl">What it covers</h2>
            <ul className="mt-5 grid list-disc gap-2 pl-5 marker:text-edge">
              {certification.domains.map((domain) => (
                <li key={domain} className="max-w-prose pl-1">
                  {domain}
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h2 className="text-3xl">Who it suits</h2>
            <ul className="mt-5 grid list-disc gap-2 pl-5 marker:text-edge">
              {certification.suits.map((who) => (
                <li key={who} className="max-w-prose pl-1">
                  {who}
                </li>
              ))}
            </ul>
          </section>
          {questLines.length > 0 && (
            <section>
              <h2 className="text-3xl">Quest lines that lead here</h2>
              <ul className="mt-5 flex flex-wrap gap-3">
                {questLines.map(({ slug, title, steps }) => (
                  <li key={slug}>
                    <Link
                      to={href('/quest-lines/:questLineId', { questLineId: slug })}
                      prefetch="intent"
                      className={button.quiet}
                    >
                      {title}: {steps} quests
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <aside aria-label="The course for it">
          <div className="sticky top-6 rounded-card border border-line bg-card p-6">
            <p className="text-sm text-mute">The course that prepares for it</p>
            <p className="mt-1 font-display text-xl font-bold">
              <Unbroken text={course.title} />
            </p>
            <dl className="tabular mt-5 grid gap-2">
              <LabelledRow label="Price">{`${formatMoney(course.priceCents)} incl. GST`}</LabelledRow>
              <LabelledRow label="Duration">{`${course.hours} hours`}</LabelledRow>
              <LabelledRow label="Level">{course.level}</LabelledRow>
              <LabelledRow label={warning?.over ? 'Pass rate while it was offered' : 'Pass rate'}>
                {`${certification.passRate}%`}
              </LabelledRow>
            </dl>
            {certification.passRateSource && (
              <p className="mt-3 text-sm text-mute">Source of the pass rate: {certification.passRateSource}.</p>
            )}
            <Link
              to={href('/course/:courseId', { courseId: course.slug })}
              className={`${button.primary} no-print mt-6 w-full`}
            >
              Start Training
            </Link>
            <Link to={href('/certifications')} className={`${button.quiet} no-print mt-3 w-full`}>
              All certifications
            </Link>
          </div>
        </aside>
      </div>
    </article>
  );
}
