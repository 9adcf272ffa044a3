import { href, Link } from 'react-router';
import type { Certification } from '#app/features/catalogue/catalogue.ts';
import { type ExamWarning, examWarning } from '#app/features/catalogue/exams.ts';
import { claimsFor } from '#app/features/catalogue/site/claims.ts';
import { Figures } from '#app/features/catalogue/site/figures.tsx';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatMoney } from '#app/lib/money.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { Medal } from '#app/ui/medal.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/certifications';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const { certificationGroups, texts } = snapshot;
  const today = academyToday(context.get(academyContext).clock);
  const groups = certificationGroups.map((group) => ({
    ...group,
    certifications: group.certifications.map((certification) => ({
      ...certification,
      warning: examWarning(snapshot, certification.course.slug, today),
    })),
  }));
  const sources = groups.flatMap(({ certifications }) => certifications.map(({ passRateSource }) => passRateSource));
  const passRateSources = [...new Set(sources.filter((source) => source !== null))];
  return { groups, passRateSources, claims: claimsFor(texts.claims, 'certifications') };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Certifications',
    'Certifications in security, cloud and audit: price, hours, pass rate, what the exam asks, and the course for each.',
  );

export default function Certifications({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Certifications"
        lead="What each one proves, what it costs to prepare for, and its pass rate, with the source below. You book the exam with its own body; each page says how."
      />
      <div className="page grid gap-12 py-12 lg:py-16">
        <Figures claims={loaderData.claims} />
        {loaderData.groups.map((group) => (
          <section key={group.slug} id={group.slug}>
            <h2 className="text-3xl">{group.title}</h2>
            <p className="mt-2 max-w-prose text-mute">{group.description}</p>
            <ul className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-3">
              {group.certifications.map((certification) => (
                <li key={certification.slug}>
                  <CertificationCard certification={certification} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p className="max-w-prose text-sm text-mute">
          Source of the pass rates: {loaderData.passRateSources.join('; ')}.
        </p>
        <section className="grid gap-8 border-t border-line pt-12 lg:grid-cols-[1fr_1.4fr]">
          <h2 className="text-3xl">Why choose our certifications</h2>
          <dl className="grid gap-6">
            <div>
              <dt className="font-display text-xl font-bold">Exam guarantee</dt>
              <dd className="mt-1 max-w-prose text-mute">
                Pass the exam or retake the course free, as long as the exam is offered. The few conditions are in the{' '}
                <Link to={href('/terms')} className="font-bold text-link underline underline-offset-4">
                  terms
                </Link>
                .
              </dd>
            </div>
            <div>
              <dt className="font-display text-xl font-bold">The current outline</dt>
              <dd className="mt-1 max-w-prose text-mute">
                Each course says which version or outline it follows, and says so when a body retires an exam.
              </dd>
            </div>
            <div>
              <dt className="font-display text-xl font-bold">Practice before the real thing</dt>
              <dd className="mt-1 max-w-prose text-mute">
                Timed practice for exams that can still be sat, discussed question by question, and no leaked questions.
              </dd>
            </div>
          </dl>
        </section>
        <section className="on-satin rounded-card bg-linear-to-br from-satin to-satin-light px-6 py-12 text-on-satin sm:px-10">
          <h2 className="text-3xl">Ready when you are</h2>
          <p className="mt-3 max-w-prose text-on-satin-mute">
            Not sure which comes first? See the{' '}
            <Link
              to={href('/quest-lines')}
              prefetch="intent"
              className="font-bold text-on-satin underline underline-offset-4"
            >
              quest lines
            </Link>
            , or tell us what you do now and what you would like to do next.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <Link to={href('/courses')} className={button.straw}>
              Start Your Journey
            </Link>
            <Link to={`${href('/contact')}?interest=other`} className={button.onSatin}>
              Speak to an Advisor
            </Link>
          </div>
        </section>
      </div>
    </>
  );
}

function CertificationCard({ certification }: { certification: Certification & { warning: ExamWarning | null } }) {
  const { course } = certification;
  return (
    <article className="flex h-full flex-col rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grow basis-36">
          <h3 className="text-2xl">{certification.name}</h3>
          <p className="mt-1 font-bold text-link">{certification.provider}</p>
        </div>
        <p className="flex items-center gap-1.5 rounded-full border border-line py-1 pr-3 pl-2 text-sm font-bold">
          <Medal tier={course.tier} />
          {course.level}
        </p>
      </div>
      <p className="mt-3 text-mute">{certification.description}</p>
      {certification.warning && <p className="mt-3 font-bold text-fault">{certification.warning.text}</p>}
      <dl className="tabular mt-5 flex flex-wrap gap-x-5 gap-y-3 sm:gap-x-7">
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-mute">incl. GST</dt>
          <dd className="font-display text-xl font-bold">{formatMoney(course.priceCents)}</dd>
        </div>
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-mute">Duration</dt>
          <dd className="font-display text-xl font-bold">{course.hours} hours</dd>
        </div>
        <div className="flex max-w-24 flex-col-reverse justify-end">
          <dt className="text-sm text-mute">{certification.warning?.over ? 'Pass rate while offered' : 'Pass rate'}</dt>
          <dd className="font-display text-xl font-bold">{certification.passRate}%</dd>
        </div>
      </dl>
      <ul aria-label="Career opportunities" className="mt-5 mb-6 flex flex-wrap gap-2 text-sm">
        {certification.jobRoles.map((role) => (
          <li key={role} className="rounded-full border border-line px-3 py-1">
            {role}
          </li>
        ))}
      </ul>
      <div className="mt-auto flex flex-wrap gap-3">
        <Link
          to={href('/course/:courseId', { courseId: course.slug })}
          prefetch="intent"
          aria-label={`Start Training: ${certification.name}`}
          className={`${button.primary} grow`}
        >
          Start Training
        </Link>
        <Link
          to={href('/certifications/:certificationId', { certificationId: certification.slug })}
          prefetch="intent"
          className={`${button.quiet} grow`}
        >
          Learn More
          {/* In the text rather than in a label: search engines and Lighthouse read a link by its text. */}
          <span className="sr-only">{` about ${certification.name}`}</span>
        </Link>
      </div>
    </article>
  );
}
